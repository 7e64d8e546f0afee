import { Section } from "@/components/ui/section";
import { CodeBlock } from "@/components/ui/text/code-block";
import type { Role } from "@/lib/contract/operations/people/roles";

/** The gateway's reply to a creation: the new role. */
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
