"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Skeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { countNouns } from "@/components/ui/values/group-digits";
import type { ReadReply } from "@/lib/console/reads/reads";
import { useUndoSaved } from "./use-save-draft";

type Saved = ReadReply<"listRateLimitChanges">["data"][number];

/** What was saved in the grid, by anybody, to be taken back for 30 days. */
export function SavedChanges() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <History aria-hidden />
        Saved changes
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Saved changes">
        {isOpen && <SavedList />}
      </Dialog>
    </>
  );
}

function SavedList() {
  const read = useRead("listRateLimitChanges", { limit: "100" });
  return (
    <ReadState
      read={read}
      to="list the saved changes"
      skeleton={<Skeleton className="h-24" />}
      empty={
        <p className="text-muted">
          Nothing was saved in the grid yet. Each save is listed here, and can be undone for 30 days.
        </p>
      }
    >
      {({ data, has_more }) => (
        <>
          <ul className="grid max-h-[60vh] divide-y overflow-y-auto">
            {data.map((saved) => (
              <SavedItem key={saved.id} saved={saved} />
            ))}
          </ul>
          {has_more && (
            <p className="pt-2 text-sm text-muted">These are the last 100. The audit log has all of them.</p>
          )}
        </>
      )}
    </ReadState>
  );
}

function SavedItem({ saved }: { saved: Saved }) {
  const undo = useUndoSaved();
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {saved.undoes === null ? "Changed" : "Put back"} {countNouns(saved.size, "row")}
        </p>
        <p className="text-sm text-muted">
          {saved.made_by.name}, <RelativeTime at={saved.created_at} />
        </p>
      </div>
      {saved.undone_by !== null ? (
        <span className="text-sm text-muted">undone</span>
      ) : saved.undo_until === null ? null : (
        <Button size="small" pending={undo.isPending} onClick={() => undo.mutate({ changesId: saved.id })}>
          Undo
        </Button>
      )}
    </li>
  );
}
