// A model provider of your own: anything that answers one request. This one asks what there is and hands in the first rows of the first table.
import { runSuite } from "daw-eval";

const firstRows = {
  async respond(request, call) {
    call.signal.throwIfAborted();
    const results = request.messages.filter(({ role }) => role === "tool");
    const [table] = results.length === 0 ? [] : JSON.parse(results[0].content).tables;
    const query = { queries: [`SELECT * FROM "${table?.name}" LIMIT 5`] };
    const [name, args] =
      results.length === 0
        ? ["list_context", {}]
        : ["submit_tool_result", { tool_name: "execute_probe_query", tool_args: query }];
    const response = {
      model: "first-rows",
      content: null,
      reasoning: null,
      tool_calls: [{ id: `call_${results.length + 1}`, name, arguments: JSON.stringify(args) }],
      finish_reason: "tool_calls",
      usage: { input_tokens: null, output_tokens: null, cached_tokens: null, reasoning_tokens: null },
      cost_usd: 0,
    };
    return { ok: true, response, request_ms: 0 };
  },
};

const { folder, end } = await runSuite({
  tasks: "tasks/demo",
  only: ["task_01_snow_days"],
  set: ["model.provider=custom", "model.name=first-rows", "repeats=1"],
  run_id: "own-model",
  env: process.env,
  model: firstRows,
});
console.log(`${folder}: ${end.status}, ${end.counts.valid} valid`);
