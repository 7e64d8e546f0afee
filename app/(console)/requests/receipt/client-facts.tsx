import { Fact, Facts } from "@/components/ui/facts";
import { formatCount } from "@/components/ui/values/group-digits";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";

/** What a call's headers say about its client. */
export function ClientFacts({ client }: { client: RequestClient }) {
  const { user_agent, client_request_id, retry_count, content_length, idempotency_key_hash, run_by } = client;
  return (
    <Facts>
      <Fact name="Endpoint">
        <code className="font-mono text-sm">POST /v1/{client.endpoint}</code>
      </Fact>
      <Fact name="Sent by">
        <span className="wrap-anywhere">{user_agent ?? "It did not say"}</span>
        {retry_count !== null && retry_count > 0 && (
          <span className="text-muted"> · its retry number {retry_count}</span>
        )}
      </Fact>
      {run_by && <Fact name="Run as this key by">{run_by.name}</Fact>}
      {client_request_id !== null && (
        <Fact name="Its own id">
          <code className="font-mono text-sm wrap-anywhere">{client_request_id}</code>
        </Fact>
      )}
      {content_length !== null && <Fact name="Length">{formatCount(content_length)} bytes</Fact>}
      <Fact name="Idempotency key">
        {idempotency_key_hash === null ? (
          "None"
        ) : (
          <>
            SHA-256 <code className="font-mono text-sm">{idempotency_key_hash}…</code>
          </>
        )}
      </Fact>
    </Facts>
  );
}
