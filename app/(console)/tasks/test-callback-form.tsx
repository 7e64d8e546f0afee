"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Status } from "@/components/ui/status";
import { CodeBlock } from "@/components/ui/text/code-block";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { type TestCallback, testCallbackRequest } from "@/lib/contract/operations/tasks/task-callbacks";
import { sendTestCallback } from "./actions";

/** Sends a signed test callback to an address, and shows how its receiver answered. */
export function TestCallbackForm({ projectId }: { projectId: string }) {
  const form = useNewForm(testCallbackRequest, { callback_url: "" });
  const test = useAction(sendTestCallback, {
    onError: ({ problem }) => showProblem(form, ["callback_url"], problem),
  });
  return (
    <Form
      form={form}
      name="test-callback"
      what="the address"
      isGuarded={false}
      labels={{ callback_url: "Address" }}
      className="grid gap-3"
      onSubmit={({ callback_url }) => test.mutate({ projectId, callback_url })}
    >
      <TextField
        control={form.control}
        name="callback_url"
        label="Address"
        type="url"
        mono
        maxLength={2_000}
        placeholder="https://example.com/callbacks"
        help="Gets one callback of the type callback.test, signed like the others."
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" pending={test.isPending}>
          Send test
        </Button>
        <div role="status">{test.data && <Outcome test={test.data} />}</div>
      </div>
      {test.data && !test.isPending && <Sent test={test.data} />}
    </Form>
  );
}

function Outcome({ test: { status, failure, took_ms: took } }: { test: TestCallback }) {
  const outcome = failure === null ? "Delivered" : "Not delivered";
  return (
    <Status tone={failure === null ? "good" : "bad"}>
      {outcome}, {status ?? "no reply"} in {describeDuration(took)}
    </Status>
  );
}

function Sent({ test: { failure, webhook_id: id, body } }: { test: TestCallback }) {
  return (
    <>
      <Facts>
        {failure !== null && <Fact name="Failure">{failure}</Fact>}
        <Fact name="webhook-id">
          <code className="font-mono text-sm">{id}</code>
        </Fact>
      </Facts>
      <CodeBlock code={body} what="body" wrap />
    </>
  );
}
