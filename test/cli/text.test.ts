import { afterEach, describe, expect, it, vi } from "vitest";
import { stdoutStyle } from "../../src/cli/text.js";

/** Tests run with a pipe for stdout; this makes it look like a terminal. */
function onTerminal(columns: number): void {
  const terminal = Object.assign(Object.create(process.stdout), { isTTY: true, columns });
  vi.spyOn(process, "stdout", "get").mockReturnValue(terminal);
}

describe("the style of results on stdout", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("takes the width from COLUMNS, and has none on a pipe", () => {
    vi.stubEnv("COLUMNS", "44");
    expect(stdoutStyle().columns).toBe(44);
    vi.stubEnv("COLUMNS", "wide");
    expect(stdoutStyle().columns).toBeNull();
  });

  it("colours a terminal, but neither with NO_COLOR nor where it is dumb", () => {
    onTerminal(132);
    vi.stubEnv("COLUMNS", "");
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("TERM", "xterm");
    expect(stdoutStyle().paint.good("x")).toBe("\u001b[32mx\u001b[39m");
    expect(stdoutStyle().columns).toBe(132);
    vi.stubEnv("NO_COLOR", "1");
    expect(stdoutStyle().paint.good("x")).toBe("x");
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("TERM", "dumb");
    expect(stdoutStyle().paint.good("x")).toBe("x");
  });
});
