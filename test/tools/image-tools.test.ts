import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContext } from "../../src/context/compile.js";
import { contextImages } from "../../src/context/context-images.js";
import { sha256 } from "../../src/core/digest.js";
import { hasImages, toolSchemas } from "../../src/tools/registry.js";
import { RED_PIXEL } from "../support/images.js";
import { type Caller, callerOf, compiledIn } from "./tool-fixture.js";

const MAX_BYTES = 5 * 1024 * 1024;
const png = (bytes: number) => Buffer.concat([RED_PIXEL, Buffer.alloc(bytes - RED_PIXEL.length)]);

let data: Caller;

beforeAll(async () => {
  const { folder } = await compiledIn({ "video/q1_timeline.md": "# Video\n", "text.png": "not a picture\n" });
  const files: Readonly<Record<string, Uint8Array>> = {
    "video/frame 3.png": RED_PIXEL,
    "video/图.png": RED_PIXEL,
    "photo.txt": Buffer.from("\xff\xd8\xff\xe0 jpeg", "latin1"),
    "loop.gif": Buffer.from("GIF89a loop"),
    "page.webp": Buffer.from("RIFF0000WEBPVP8 "),
    "scan.tiff": Buffer.from("II*\0 scan"),
    "largest.png": png(MAX_BYTES),
    "larger.png": png(MAX_BYTES + 1),
    "../outside.png": RED_PIXEL,
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
  symlinkSync("../outside.png", path.join(folder, "link-out.png"));
  symlinkSync("video/frame 3.png", path.join(folder, "link-in.png"));
  const context = await compileContext(folder, { cache_dir: path.join(folder, "..", "cache") });
  data = callerOf(context, null, contextImages(folder));
});
afterAll(() => data.pool.close());

describe("read_context_image", () => {
  it("brings a reference for the next request, and a note that holds none of its bytes", async () => {
    const result = await data.call("read_context_image", { path: "video/frame 3.png" });
    const digest = sha256(RED_PIXEL);
    expect(result).toMatchObject({
      ok: true,
      truncated: false,
      image: { path: "video/frame 3.png", type: "image/png", bytes: RED_PIXEL.length, digest },
    });
    expect(JSON.parse(result.content)).toEqual({
      path: "video/frame 3.png",
      type: "image/png",
      bytes: RED_PIXEL.length,
      sha256: digest,
      note: expect.stringContaining("record_visual_evidence"),
    });
  });

  it.each([
    ["photo.txt", "image/jpeg"],
    ["loop.gif", "image/gif"],
    ["page.webp", "image/webp"],
    ["video/图.png", "image/png"],
    ["link-in.png", "image/png"],
    ["largest.png", "image/png"],
  ])("tells %s by its content: %s", async (name, type) => {
    expect((await data.call("read_context_image", { path: name })).image).toMatchObject({ path: name, type });
  });

  it.each([
    ["larger.png", "image-too-large", `has ${MAX_BYTES + 1} bytes; an image may have at most ${MAX_BYTES}`],
    ["text.png", "not-an-image", "by its content none of image/png, image/jpeg, image/gif, image/webp"],
    ["scan.tiff", "not-an-image", "but image/tiff"],
    ["video/q1_timeline.md", "not-an-image", "by its content none of"],
    ["video/frame 4.png", "unknown-image", 'did you mean "video/frame 3.png"'],
    ["../outside.png", "unknown-image", "there is no image"],
    ["video/../../outside.png", "unknown-image", "there is no image"],
    ["link-out.png", "unknown-image", "there is no image"],
    ["/etc/hostname", "unknown-image", "there is no image"],
    ["video", "unknown-image", "there is no image"],
  ])("refuses %s: %s", async (name, error, words) => {
    const result = await data.call("read_context_image", { path: name });
    expect(result).toMatchObject({ ok: false, error });
    expect(result.image).toBeUndefined();
    expect(JSON.parse(result.content).message).toContain(words);
  });
});

describe("record_visual_evidence", () => {
  const receipt = { path: "video/frame 3.png", observation: "a red square", claim: "the square is red" };
  const shown = { path: receipt.path, digest: "d1", type: "image/png", bytes: 9 } as const;

  it("keeps what was seen in an image that was shown, of which bytes, and for what", async () => {
    const result = await data.call("record_visual_evidence", receipt, { shown_images: [shown] });
    expect(JSON.parse(result.content)).toEqual({ ...receipt, sha256: "d1", recorded: true });
    expect(result).toMatchObject({ ok: true, args: receipt });
  });

  it("is refused for an image that nobody has looked at", async () => {
    const unseen = await data.call("record_visual_evidence", receipt);
    expect(unseen).toMatchObject({ ok: false, error: "image-not-shown" });
    expect(unseen.content).toContain("read_context_image");
    const mistyped = await data.call(
      "record_visual_evidence",
      { ...receipt, path: "frame 3.png" },
      { shown_images: [shown] },
    );
    expect(mistyped).toMatchObject({ ok: false, error: "image-not-shown" });
  });

  it("wants words", async () => {
    const empty = await data.call(
      "record_visual_evidence",
      { ...receipt, observation: " " },
      { shown_images: [shown] },
    );
    expect(empty).toMatchObject({ ok: false, error: "bad-arguments" });
  });
});

describe("the tools for images", () => {
  const names = (images: boolean) => toolSchemas(false, images).map(({ name }) => name);

  it("are offered where the data have images, before the submission, and are unknown elsewhere", async () => {
    expect(names(true).slice(-3)).toEqual(["read_context_image", "record_visual_evidence", "submit_tool_result"]);
    expect(names(false)).not.toContain("read_context_image");
    const { context } = await compiledIn({ "a.csv": "x\n1\n" });
    const without = callerOf(context);
    expect(await without.call("read_context_image", { path: "a.png" })).toMatchObject({ error: "unknown-tool" });
    await without.pool.close();
  });

  it.each([
    ["image/webp", true],
    ["video/mp4", false],
    ["image/svg+xml", false],
  ])("%s counts as one: %s", (type, offered) => {
    expect(hasImages({ media: [{ path: "m", type }] })).toBe(offered);
  });
});
