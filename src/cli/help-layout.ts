import { Help, type HelpConfiguration } from "commander";

/** Cells below which a description beside its term would be a column of single words: it then stands below. */
const LEAST_BESIDE = 24;
const BELOW = "      ";

/** How `--help` is laid out: nothing but a usage line is wider than the terminal, down to 40 cells. */
export const HELP_LAYOUT: HelpConfiguration = {
  minWidthToWrap: LEAST_BESIDE,
  // A list that is empty unless something is given needs no word.
  optionDescription: (option) => new Help().optionDescription(option).replace(" (default: [])", ""),
  formatItem: (term, termWidth, description, helper) => {
    const width = helper.helpWidth ?? 80;
    const usual = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: LEAST_BESIDE });
    if (description === "" || width - termWidth - 4 >= LEAST_BESIDE) {
      return usual.formatItem(term, termWidth, description, helper);
    }
    const lines = usual.boxWrap(description, width - BELOW.length).split("\n");
    return [`  ${term}`, ...lines.map((line) => BELOW + line)].join("\n");
  },
};
