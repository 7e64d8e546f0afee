"use client";

import { useEffect, useState } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Fact, Facts } from "@/components/ui/facts";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { CodeBlock } from "@/components/ui/text/code-block";
import { ExactTime } from "@/components/ui/time/shown-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import type { CallbackSecret } from "@/lib/contract/operations/tasks/task-callbacks";
import { type TestCallback, testCallbackRequest } from "@/lib/contract/operations/tasks/task-callbacks";
import { replaceCallbackSecret, retrieveCallbackSecret, sendTestCallback } from "./actions";
import { SignatureCheck } from "./task-status";

type CallbackSecretDialogProps = { project: { id: string; name: string }; close: () => void };

/**
 * The secret that signs a project's callbacks, its replacement, a test callback, and how a receiver checks signatures.
 */
export function CallbackSecretDialog({ project, close }: CallbackSecretDialogProps) {
  const { mutate, data, error } = useAction(retrieveCallbackSecret);
  const [replaced, setReplaced] = useState<CallbackSecret | null>(null);
  useEffect(() => mutate({ projectId: project.id }), [mutate, project.id]);
  const secret = replaced ?? data;
  return (
    <Dialog
      open
      position="wide"
      onClose={close}
      title="Callback secret"
      description={`Signs every callback of ${project.name}, by Standard Webhooks.`}
    >
      <div className="grid gap-5">
        {error && (
          <Notice tone="bad" title="The secret could not be read" role="alert">
            {error.problem.message}
          </Notice>
        )}
        {!secret && !error && <Skeleton className="h-24 w-full" />}
        {secret && <Secret projectId={project.id} secret={secret} onReplaced={setReplaced} />}
        <section className="grid gap-2" aria-label="Test a receiver">
          <h3 className="font-semibold">Test a receiver</h3>
          <TestCallbackForm projectId={project.id} />
        </section>
        <section className="grid gap-2" aria-label="Check a signature">
          <h3 className="font-semibold">Check a signature</h3>
          <SignatureCheck />
        </section>
      </div>
    </Dialog>
  );
}

type SecretProps = {
  projectId: string;
  secret: CallbackSecret;
  onReplaced: (secret: CallbackSecret) => void;
};

function Secret({ projectId, secret, onReplaced }: SecretProps) {
  const [isShown, setIsShown] = useState(false);
  const { number, previous_ends_at: previousEndsAt } = secret;
  return (
    <section className="grid gap-3" aria-label="Secret">
      {isShown ? (
        <CodeBlock code={secret.secret} what="callback secret" />
      ) : (
        <p className="text-muted">
          Secret number {number}. Give it only to the program that receives the callbacks.
        </p>
      )}
      {previousEndsAt !== null && (
        <Notice title="Two secrets sign">
          Until <ExactTime at={previousEndsAt} /> the previous secret signs, too, so that receivers can change
          over. A receiver accepts a callback if one of the signatures is right.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setIsShown(!isShown)}>{isShown ? "Hide secret" : "Show secret"}</Button>
        <ConfirmedAction
          renderButton={(ask) => <Button onClick={ask}>Replace secret</Button>}
          title="Replace the callback secret?"
          confirmLabel="Replace secret"
          action={replaceCallbackSecret}
          input={{ projectId, replaces: number }}
          done={(made) => `Secret number ${made.number} signs from now on`}
          onDone={onReplaced}
        >
          Callbacks are signed with a new secret immediately. The current one stays valid for 24 hours: give
          the new one to every receiver by then.
        </ConfirmedAction>
      </div>
    </section>
  );
}

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
