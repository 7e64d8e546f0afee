import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import type { Role } from "@/lib/contract/operations/roles";

/** What the gateway replied to a creation: the role as it is there now. */
export function RoleReply({ reply }: { reply: Role }) {
  return (
    <Section
      title="The gateway’s reply"
      description={
        <>
          Role “{reply.name}” with {reply.permissions.length}{" "}
          {reply.permissions.length === 1 ? "permission" : "permissions"}. Note its id: this gateway can’t
          list roles.
        </>
      }
    >
      <CodeBlock code={JSON.stringify(reply, null, 2)} what="reply" />
    </Section>
  );
}
