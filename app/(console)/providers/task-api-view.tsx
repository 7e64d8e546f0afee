import type { Provider } from "@/lib/contract/operations/models/providers";

type Mapping = NonNullable<Provider["task_api"]>;

/** What a provider with a mapped task API makes, and the requests it gets. */
export function TaskApiView({ api }: { api: Mapping }) {
  const { makes, submit, poll, poll_seconds, cancel, repeats_lost_orders } = api;
  const facts = [
    `makes ${makes.join(", ")}`,
    poll_seconds === null ? "answers at once" : `asked every ${poll_seconds} s`,
    ...(poll !== null && cancel === null ? ["can’t cancel"] : []),
    repeats_lost_orders ? "lost orders are sent again" : "lost orders stay open",
  ];
  return (
    <div className="mt-1 space-y-1 text-sm text-muted">
      <p>{facts.join(" · ")}</p>
      <ul aria-label="Requests" className="font-mono text-xs break-all">
        {[submit, poll, cancel].map((request) => request && <li key={request}>{request}</li>)}
      </ul>
    </div>
  );
}
