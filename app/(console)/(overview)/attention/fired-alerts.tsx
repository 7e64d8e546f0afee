"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { SpendAlertFiring } from "@/lib/contract/operations/money/spend-alert-firings";
import type { FiringsRead } from "../overview-reads";

const POLL_MS = 10_000;

/** The spend alerts that fired this month, latest first. Renders nothing if there are none or they can't be read. */
export function FiredAlerts({ read }: { read: FiringsRead }) {
  const firings = useRead(...read, { refetchInterval: POLL_MS }).data;
  if (!firings || firings.data.length === 0) return null;
  const { data, has_more } = firings;
  return (
    <Notice tone="near" title={writeTitle(data.length, has_more)}>
      <ul className="mt-1 grid gap-1">
        {data.map((firing) => (
          <li key={firing.id}>
            <FiredAlert firing={firing} />
          </li>
        ))}
      </ul>
      <TextLink href={paths.balance()} className="mt-2 inline-block">
        View balance
      </TextLink>
    </Notice>
  );
}

function FiredAlert({ firing }: { firing: SpendAlertFiring }) {
  const { project_id, threshold, currency, fired_at, callback } = firing;
  const findName = useProjectNames();
  return (
    <>
      <span className="font-medium wrap-anywhere text-foreground">
        {project_id === null ? "The organization" : (findName(project_id) ?? `Project ${project_id}`)}
      </span>{" "}
      reached <Money amount={threshold} currency={currency} /> <RelativeTime at={fired_at} />
      {callback?.status === "exhausted" && `. Its callback never arrived. ${callback.last_failure}`}
    </>
  );
}

function writeTitle(shown: number, hasMore: boolean): string {
  if (hasMore) return `More than ${shown} spend alerts fired this month`;
  return shown === 1 ? "A spend alert fired this month" : `${shown} spend alerts fired this month`;
}
