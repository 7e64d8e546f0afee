import { type LimitField, limitFields } from "@/components/rate-limits/limit-fields";
import { Section } from "@/components/ui/section";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { CodeBlock } from "@/components/ui/text/code-block";
import { Quantity } from "@/components/ui/values/quantity";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";

/** The gateway's reply to a save: the limits now in effect, and the raw object. */
export function RateLimitReply({ reply }: { reply: RateLimit }) {
  return (
    <Section
      title="The gateway’s reply"
      description={
        <>
          Rate limit <code className="font-mono">{reply.id}</code> of model{" "}
          <code className="font-mono">{reply.model}</code>, as it holds now.
        </>
      }
    >
      <DataTable<LimitField>
        caption={`Rate limit ${reply.id}`}
        rows={limitFields}
        rowId={({ name }) => name}
        columns={buildColumns(reply)}
      />
      <CodeBlock code={JSON.stringify(reply, null, 2)} what="reply" />
    </Section>
  );
}

function buildColumns(reply: RateLimit): Column<LimitField>[] {
  return [
    { id: "limit", header: "Limit", cell: ({ label }) => label },
    {
      id: "value",
      header: "Value",
      numeric: true,
      phone: "end",
      cell: ({ name }) => <Quantity value={reply[name]} none="no limit" />,
    },
  ];
}
