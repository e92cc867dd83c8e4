import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Debian's chromium, or another one; null where there is none, and tests that need it are then skipped. In CI it must be there. */
export const chromiumPath: string | null = PLACES.find((file) => existsSync(file)) ?? null;

if (chromiumPath === null && process.env.CI) throw new Error(`no chromium at ${PLACES.join(", ")}: install it`);

export async function startBrowser(): Promise<Browser> {
  // Without its own sandbox, which a container may not start; it only opens files that the tests wrote.
  return chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
}

/** A page that shows a file, with all that it complained about and all addresses that it asked for. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

interface OpenOptions {
  /** With `#`. */
  readonly hash?: string;
  readonly width?: number;
  readonly scheme?: "dark" | "light";
  readonly locale?: string;
}

export async function openFile(browser: Browser, file: string, options: OpenOptions = {}): Promise<OpenPage> {
  const { hash = "", width = 1280, scheme = "light", locale = "en-US" } = options;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, locale });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "log") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${pathToFileURL(file).href}${hash}`);
  await page.locator("main").waitFor();
  return { page, complaints, requests };
}

/** The text of an element as a reader sees it: blanks between its cells, nothing of what is hidden. */
export async function shownText(locator: Locator): Promise<string> {
  await locator.waitFor();
  return (await locator.allInnerTexts()).join("\n");
}
