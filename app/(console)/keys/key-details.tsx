"use client";

import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Fact, Facts } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { IdChip } from "@/components/ui/text/id-chip";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { DAY_S } from "@/lib/contract/durations";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { endpointOptions, toKeyScopeForm } from "./key-scope";
import { roleNames } from "./service-account-roles";

const MONTH_S = 30 * DAY_S;

type KeyDetailsProps = {
  projectId: string;
  target: ProjectApiKey;
  /** True if the person can see the project's calls. */
  seesCalls: boolean;
  close: () => void;
};

/** A key's usage in the last 30 days, its creator and its scope. */
export function KeyDetails({ projectId, target, seesCalls, close }: KeyDetailsProps) {
  return (
    <Dialog
      open
      position="right"
      onClose={close}
      title={target.name}
      description={<IdChip id={target.id} what="key id" />}
    >
      <div className="grid gap-6">
        {seesCalls && <KeyUsage projectId={projectId} keyId={target.id} />}
        <KeyFacts target={target} />
      </div>
    </Dialog>
  );
}

function KeyUsage({ projectId, keyId }: { projectId: string; keyId: string }) {
  const [since] = useState(() => nowSeconds() - MONTH_S);
  const usage = useRead("retrieveUsageSummary", {
    project_id: projectId,
    api_key_id: keyId,
    start_time: String(since),
    bucket_width: "range",
    latencies: "none",
  });
  return (
    <section aria-label="The last 30 days" className="grid gap-3">
      <h3 className="font-medium">The last 30 days</h3>
      <ReadState read={usage} to="show what it used" skeleton={<Skeleton className="h-16 w-full" />}>
        {({ totals, currency }) => (
          <div className="grid grid-cols-3 gap-4">
            <Figure label="Calls">
              <Quantity value={totals.requests} />
            </Figure>
            <Figure label="Refused">
              <Quantity value={totals.refusals} />
            </Figure>
            <Figure label="Spent">
              <Money amount={totals.amount} currency={currency} />
            </Figure>
          </div>
        )}
      </ReadState>
      <TextLink
        href={paths.requests({ project_id: projectId, api_key_id: keyId, range: "30d" })}
        className="justify-self-start text-sm"
      >
        View calls
      </TextLink>
    </section>
  );
}

const makers = { user: "", admin_api_key: ", an admin key", project_api_key: ", a project key" };

/** A key's properties. */
function KeyFacts({ target }: { target: ProjectApiKey }) {
  const { created_by: maker, owner, models, rotated_from: rotatedFrom } = target;
  const { endpoints } = toKeyScopeForm(target);
  const role = owner.service_account.role as keyof typeof roleNames;
  return (
    <Facts>
      <Fact name="Key">
        <code className="font-mono text-sm">{target.redacted_value}</code>
      </Fact>
      <Fact name="Role">{roleNames[role] ?? role}</Fact>
      <Fact name="Created">
        <RelativeTime at={target.created_at} />
        {maker && ` by ${maker.name}${makers[maker.type]}`}
      </Fact>
      <Fact name="Last used">
        {target.last_used_at === null ? "never" : <RelativeTime at={target.last_used_at} />}
      </Fact>
      <Fact name="Expires">
        {target.expires_at === null ? "never" : <RelativeTime at={target.expires_at} />}
      </Fact>
      <Fact name="Endpoints">
        {endpointOptions(endpoints).find(({ value }) => value === endpoints)?.label}
      </Fact>
      <Fact name="Models">
        {models === null ? (
          "Every model that its project may call"
        ) : (
          <span className="font-mono text-sm">{models.join(", ")}</span>
        )}
      </Fact>
      {rotatedFrom && (
        <Fact name="Takes the place of">
          <code className="font-mono text-sm break-all">{rotatedFrom}</code>
        </Fact>
      )}
    </Facts>
  );
}
