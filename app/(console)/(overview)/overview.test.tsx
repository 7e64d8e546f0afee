import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey } from "@/lib/console/reads/reads";
import { FirstCall } from "./overview";
import { exampleModels } from "./overview-reads";

type Answer = readonly string[] | "failed" | "pending";

/** The model of the example: undefined while it is unknown. */
function findModel(answers: Record<keyof typeof exampleModels, Answer>): string | undefined {
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  for (const name of ["real", "any"] as const) {
    const [read, parameters] = exampleModels[name];
    const [queryKey, answer] = [buildReadKey(read, parameters), answers[name]];
    if (answer === "pending") continue;
    const query = client.getQueryCache().build(client, { queryKey });
    if (answer === "failed")
      query.setState({ status: "error", error: new ProblemError(createProblem("failed", "Why.")) });
    else
      query.setData({
        ok: true,
        data: { data: answer.map((id) => ({ id })), has_more: false },
        requestId: null,
      });
  }
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <FirstCall baseUrl="http://gateway.test/v1" />
    </QueryClientProvider>,
  );
  return /&quot;model&quot;:&quot;([^&]+)&quot;/.exec(html)?.[1];
}

test("the example calls the first real model, or one of the sandbox where there is none", () => {
  expect(findModel({ real: ["gpt-5"], any: ["sandbox-echo"] })).toBe("gpt-5");
  expect(findModel({ real: [], any: ["sandbox-echo"] })).toBe("sandbox-echo");
});

test("the example calls a stand-in where there is no model, or the real ones can't be read", () => {
  expect(findModel({ real: [], any: [] })).toBe("your-model");
  expect(findModel({ real: "failed", any: ["sandbox-echo"] })).toBe("your-model");
  expect(findModel({ real: "failed", any: "failed" })).toBe("your-model");
});

test("no example is shown before both lists are read", () => {
  expect(findModel({ real: ["gpt-5"], any: "pending" })).toBeUndefined();
  expect(findModel({ real: "pending", any: ["sandbox-echo"] })).toBeUndefined();
});
