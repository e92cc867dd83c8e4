import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/core/digest.js";
import type { EvidencePacket } from "../../src/core/evidence.js";
import { fold } from "../../src/core/reduce.js";
import { evidencePacket } from "../../src/validate/packet.js";
import { type ModelRequestSeen, type Reply, type ScriptedCall, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { scriptedRun } from "../support/scripted-run.js";
import { sharedDir } from "../support/shared.js";

/*
 * Packets of trials that really ran: one of our own demo suite in full, those of the shared tasks as digests, since their data may not
 * be copied. `npx vitest run test/validate/packet-golden.test.ts -u` writes the files anew.
 */

const LIMITS = profileWith({}).process_validation;

/** What any task can be asked: everything that makes an item, and everything that keeps an observation out. */
function turns(table: string): readonly (readonly ScriptedCall[])[] {
  const name = `"${table}"`;
  const query = (sql: string, more: object = {}) => ({
    name: "execute_probe_query",
    args: { queries: [sql], ...more },
  });
  return [
    [{ name: "read_doc", args: { path: "knowledge.md" } }],
    [{ name: "get_table_profile", args: { table } }, query(`SELECT count(*) AS n FROM ${name}`)],
    [query(`SELECT no_such_column FROM ${name}`)],
    [query(`SELECT * FROM ${name} LIMIT 3`)],
    [query(`SELECT * FROM ${name}`, { limit: 1 })],
    [query(`SELECT * FROM ${name} LIMIT 3`, { limit: 200 })],
    [
      {
        name: "submit_tool_result",
        args: { tool_name: "execute_probe_query", tool_args: { queries: [`SELECT count(*) AS n FROM ${name}`] } },
      },
    ],
  ];
}

/** Works on the first table of the catalog that its own first message shows. */
function agent(request: ModelRequestSeen): Reply {
  const opening = request.body.messages[1]?.content ?? "";
  const table = /^table (?:"([^"]+)"|(\S+)) \(/m.exec(opening);
  const turn = request.body.messages.filter(({ role }) => role === "assistant").length;
  const calls = turns(table?.[1] ?? table?.[2] ?? "")[turn] ?? [];
  return toolCallReply(calls.map((call, index) => ({ ...call, id: `t${turn + 1}_${index}` })));
}

async function packetOf(suite: string, task: string): Promise<EvidencePacket> {
  const { events } = await scriptedRun({ suite, task, scripts: { agent } });
  expect(fold(events).outcome).toMatchObject({ kind: "answered" });
  return evidencePacket(fold(events).trajectory, LIMITS);
}

describe("the packet of a real trajectory", () => {
  it("over the demo suite is the golden one", async () => {
    const packet = await packetOf(path.resolve("tasks/demo"), "task_07_deposits_in_march");
    await expect(`${JSON.stringify(packet, null, 2)}\n`).toMatchFileSnapshot("golden/packet-demo.json");
  });

  it.skipIf(sharedDir === null)("over the shared demo tasks has the golden digests", async () => {
    const suite = path.join(sharedDir ?? "", "data", "kdd-demo");
    const tasks = readdirSync(path.join(suite, "input")).sort();
    const lines: string[] = [];
    for (const task of tasks) {
      const { evidence_items, omitted_or_unusable } = await packetOf(suite, task);
      for (const { id, tool, capabilities, source, observation } of evidence_items) {
        const rows = tool === "execute_probe_query" ? digestOf(observation.evidence_excerpt).slice(0, 16) : "";
        lines.push(`${task} ${id} ${tool} ${capabilities} ${source.kind} ${rows}`.trim());
      }
      for (const { tool, reason } of omitted_or_unusable) lines.push(`${task} omitted ${tool} ${reason}`);
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/packets-shared.txt");
  });
});
