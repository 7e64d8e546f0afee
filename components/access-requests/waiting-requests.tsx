"use client";

import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { AccessRequestCard } from "./access-request-card";
import { waitingRead } from "./waiting-read";

const POLL_MS = 10_000;

/** More cards than these would push the rest of the screen out of sight. */
const SHOWN = 2;

/** What others ask for and the person may give: one card each. Nothing where nobody asks. */
export function WaitingRequests() {
  const [showsAll, setShowsAll] = useState(false);
  const waiting = useRead(...waitingRead, { refetchInterval: POLL_MS }).data;
  if (!waiting || waiting.data.length === 0) return null;
  const { data, has_more } = waiting;
  return (
    <section aria-labelledby="waiting-requests" className="grid gap-3">
      <h2 id="waiting-requests" className="font-medium">
        {has_more
          ? "More than 20 access requests are waiting for you"
          : data.length === 1
            ? "An access request is waiting for you"
            : `${data.length} access requests are waiting for you`}
      </h2>
      <ul className={data.length > 1 ? "grid items-start gap-3 xl:grid-cols-2" : "grid gap-3"}>
        {(showsAll ? data : data.slice(0, SHOWN)).map((request) => (
          <li key={request.id}>
            <AccessRequestCard request={request} />
          </li>
        ))}
      </ul>
      {!showsAll && data.length > SHOWN && (
        <Button className="justify-self-start" onClick={() => setShowsAll(true)}>
          Show {data.length - SHOWN} more
        </Button>
      )}
    </section>
  );
}
