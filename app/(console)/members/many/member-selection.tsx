"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import type { Project } from "@/components/roles/principal";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { SelectionBar } from "@/components/ui/table/selection-bar";
import { copyOutcomes, copyText } from "@/components/ui/text/copy-text";
import type { User } from "@/lib/contract/operations/people/users";
import { type ActionType, actionWords } from "./member-action";

const ChangeMembersDialog = loadOnClient(() =>
  import("./change-members-dialog").then((file) => file.ChangeMembersDialog),
);

type MemberSelectionProps = {
  members: readonly User[];
  projects: readonly Project[];
  /** What the person may do with several members at once. */
  actions: readonly ActionType[];
  clear: () => void;
};

/** What can be done with the chosen members. */
export function MemberSelection({ members, projects, actions, clear }: MemberSelectionProps) {
  const [asks, setAsks] = useState<ActionType | null>(null);
  async function copyAddresses() {
    const isCopied = await copyText(members.map(({ email }) => email).join("\n"));
    toast({
      message: copyOutcomes[isCopied ? "copied" : "refused"],
      ...(!isCopied && { tone: "bad" as const }),
    });
  }
  return (
    <>
      <SelectionBar count={members.length} noun="member" clear={clear}>
        {actions.map((type) => (
          <Button key={type} onClick={() => setAsks(type)}>
            {actionWords[type].label}
          </Button>
        ))}
        <Button onClick={() => void copyAddresses()}>
          <Copy aria-hidden />
          Copy addresses
        </Button>
      </SelectionBar>
      {asks && (
        <ChangeMembersDialog
          type={asks}
          members={members}
          projects={projects}
          close={() => setAsks(null)}
          done={() => {
            setAsks(null);
            clear();
          }}
        />
      )}
    </>
  );
}
