import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type PageData, type Trajectory, trajectoryElement } from "./page-data.js";

/** The bundled script and style of the page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** A trajectory with its place in the page: positions of its run and, in that run's `trials`, of its trial. */
export interface PlacedTrajectory {
  readonly run: number;
  readonly trial: number;
  readonly trajectory: Trajectory;
}

/**
 * An HTML report as pieces of one file. The page may run its own script and nothing else, and may load nothing: its policy names
 * both by hash. All data is compressed and in base64, so that no text of a model or a file is ever markup; a trajectory is
 * decoded when it is opened.
 */
export async function* renderHtml(
  data: PageData,
  trajectories: AsyncIterable<PlacedTrajectory>,
  { script, style }: PageAssets,
): AsyncGenerator<string> {
  // A script ends at the first `</script`, also within its strings.
  const code = script.replaceAll(/<\/(?=script)/gi, "<\\/");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>daw-eval report</title>
<style>${style}</style>
</head>
<body>
<noscript>This report needs JavaScript to unpack its data. It loads nothing from a network.</noscript>
<div id="app"></div>
${block("page", data)}`;
  for await (const { run, trial, trajectory } of trajectories) {
    yield block(trajectoryElement(run, trial), trajectory);
  }
  yield `<script>${code}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function block(id: string, value: unknown): string {
  return `<script type="text/plain" id="${id}">${gzipSync(JSON.stringify(value)).toString("base64")}</script>\n`;
}
