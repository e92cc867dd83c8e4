import type { ServiceLimits } from "./limits.js";
import { type ProblemCode, problem } from "./problem.js";
import type { Problem } from "./verify-schema.js";

/**
 * A request's body as text, read no further than the limit and no longer than its time; else why not. What was read of a body that is refused is
 * let go at once.
 */
export async function readBody(request: Request, limits: ServiceLimits): Promise<string | Problem> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limits.body_bytes) return tooLarge(limits);
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void reader.cancel().catch(() => {});
  }, limits.receive_ms);
  try {
    const bytes = await readAll(reader, limits.body_bytes);
    if (late) return refusal("request-timeout", `A body is there within ${limits.receive_ms / 1000} s.`);
    if (bytes === null) return tooLarge(limits);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      return refusal("malformed-json", "The body is not UTF-8 text.");
    }
    return refusal(late ? "request-timeout" : "client-left", "The body did not arrive whole.");
  } finally {
    clearTimeout(timer);
  }
}

const refusal = (code: ProblemCode, detail: string): Problem => problem(code, detail);

const tooLarge = ({ body_bytes }: ServiceLimits): Problem =>
  refusal("body-too-large", `A body has at most ${body_bytes} bytes.`);

/** Null where there is more than `limit`. */
async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      return null;
    }
    chunks.push(value);
  }
}
