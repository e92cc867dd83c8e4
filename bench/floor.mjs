// The yardstick: the least that a runner can do. Reads the tasks, asks the model once for each, appends one fsynced line each.
import { fdatasyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import http from "node:http";
import path from "node:path";

const [, , suite, baseUrl, concurrency, out] = process.argv;
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(concurrency) });

function ask(question) {
  const body = JSON.stringify({ model: "scripted", messages: [{ role: "user", content: question }] });
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${baseUrl}/chat/completions`,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(JSON.parse(text)));
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

mkdirSync(out, { recursive: true });
const log = openSync(path.join(out, "log.jsonl"), "a");
const tasks = readdirSync(suite).map((name) => JSON.parse(readFileSync(path.join(suite, name, "task.json"), "utf8")));
let next = 0;
async function worker() {
  while (next < tasks.length) {
    const task = tasks[next++];
    const reply = await ask(task.question);
    writeSync(log, `${JSON.stringify({ task_id: task.task_id, answer: reply.choices[0].message.content })}\n`);
    fdatasyncSync(log);
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
agent.destroy();
