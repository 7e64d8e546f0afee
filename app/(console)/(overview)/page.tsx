import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { waitingRead } from "@/components/access-requests/waiting-read";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { startsInPlayground } from "@/components/shell/navigation/find-screen";
import { Card } from "@/components/ui/card";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { LoadChartsAhead } from "@/components/usage/lazy-usage-chart";
import {
  type OverviewRange,
  overviewRanges,
  parseOverviewRange,
  parseSpendGrouping,
  recentUsageRead,
  type SpendGrouping,
  spendGroupings,
  usageReads,
} from "@/components/usage/usage-reads";
import { environment } from "@/lib/console/environment";
import { paths } from "@/lib/console/paths";
import { holdsAnything, holdsAnywhere, holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";
import { FiredAlerts } from "./attention/fired-alerts";
import { BaseAddress } from "./base-address";
import { Overview, type OverviewRights } from "./overview";
import {
  exampleModels,
  type FiringsRead,
  failingHealth,
  firingsRead,
  latestChanges,
  latestEntries,
  latestRefusals,
  nearLimits,
  orphanedKeys,
  STEPS_COOKIE,
  stepReads,
} from "./overview-reads";
import { OverviewHead, RangeSwitch } from "./range-switch";

export const metadata = { title: "Overview" };

const READ_ALERTS = "api.spend_alerts.read";

type OverviewPageProps = { searchParams: Promise<PageQuery> };

export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  await requireSession();
  const { support, me, currentProjectId, hasNoProject, heldHere, mayInProject } = await sessionData();
  const held = me && heldHere && { organization: me.permissions, project: heldHere };
  if (held && startsInPlayground(held)) redirect(paths.playground());
  const may = (permission: Permission) => held?.organization.includes(permission) ?? true;
  const mayHere = (permission: Permission) => may(permission) || mayInProject(permission);
  const sees = {
    balance: may("api.balance.read"),
    ledger: may("api.ledger.read"),
    usage: mayHere("api.usage.read"),
    requests: mayHere("api.requests.read"),
    changes: may("api.audit_logs.read"),
    limit: may("api.spend_limits.read"),
    rateLimits: holdsAnywhere(me, "api.rate_limits.read"),
    health: may("api.providers.read"),
    orphanedKeys: may("api.admin_api_keys.read") && may("api.project_api_keys.read"),
    answers: mayAnswer(me),
  };
  const actions = <Actions hasRange={sees.usage} canRecord={sees.balance && may("api.payments.write")} />;
  const openedAt = nowSeconds();
  const findInAddress = findInQuery(await searchParams);
  const range = parseOverviewRange(findInAddress("range"));
  const grouping = parseSpendGrouping(findInAddress("by"));
  const { baseUrl } = environment().gateway;
  const firings = await readableFirings();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Overview" sentence="What can be done from here, and where programs call." />
        <SpecificationOverview baseUrl={baseUrl} />
      </Page>
    );
  }
  return (
    <Page>
      {sees.usage && <LoadChartsAhead />}
      <Prefetched {...listReads(sees, { openedAt, range, grouping, projectId: currentProjectId, firings })}>
        {sees.usage && sees.balance ? (
          <OverviewHead openedAt={openedAt} action={actions} />
        ) : (
          <PageHead
            title="Overview"
            sentence={
              sees.balance || sees.ledger
                ? "Your balance, recent spending, and the address for your programs."
                : "Where programs call, and what to do first."
            }
            action={actions}
          />
        )}
        <Overview
          projectId={currentProjectId}
          hasNoProject={hasNoProject}
          hasNoRole={me !== null && !holdsAnything(me)}
          baseUrl={baseUrl}
          sees={sees}
          steps={listOwnSteps(mayHere)}
          showsSteps={!(await cookies()).has(STEPS_COOKIE)}
          openedAt={openedAt}
        >
          {firings && <FiredAlerts read={firings} />}
        </Overview>
      </Prefetched>
    </Page>
  );
}

function listOwnSteps(mayHere: (permission: Permission) => boolean) {
  return {
    key: mayHere("api.project_api_keys.write"),
    limit: mayHere("api.rate_limits.write"),
    call: mayHere("api.playground.write"),
  };
}

/** Whether others can ask the person for more. */
function mayAnswer(me: Me | null): boolean {
  return holdsAnywhere(me, "api.rate_limits.write") || holdsAnywhere(me, "api.role_assignments.write");
}

function Actions({ hasRange, canRecord }: { hasRange: boolean; canRecord: boolean }) {
  return (
    <>
      {hasRange && <RangeSwitch />}
      {canRecord && <LinkButton href={paths.balance({ open: "new-payment" })}>Record payment</LinkButton>}
    </>
  );
}

type Opened = {
  openedAt: number;
  range: OverviewRange;
  grouping: SpendGrouping;
  projectId: string | null;
  firings: FiringsRead | null;
};

function listReads(sees: OverviewRights, { openedAt, range, grouping, projectId, firings }: Opened) {
  const usage = usageReads(openedAt);
  const steps = projectId === null ? null : stepReads(projectId);
  return {
    reads: [
      ...(steps ? [steps.keys, steps.limits, steps.charges] : []),
      ...(sees.balance ? (["retrieveBalance"] as const) : []),
      ...(sees.usage && range === overviewRanges[0] ? [recentUsageRead(range, openedAt)] : []),
      ...(sees.usage && sees.balance ? [usage.week] : []),
      ...(sees.usage && sees.limit ? (["retrieveSpendLimit"] as const) : []),
      ...(firings ? [firings] : []),
    ],
    lateReads: [
      ...(sees.answers ? [waitingRead] : []),
      ...(sees.requests ? [latestRefusals] : []),
      ...(sees.changes ? [latestChanges] : []),
      ...(sees.ledger ? [latestEntries] : []),
      exampleModels.real,
      exampleModels.any,
    ],
    slowReads: [
      ...(sees.usage && range !== overviewRanges[0] ? [recentUsageRead(range, openedAt)] : []),
      ...(sees.usage ? [usage.month, usage.monthBefore] : []),
      ...(sees.usage && grouping !== spendGroupings[0] ? [usage.monthByDay(grouping)] : []),
      ...(sees.rateLimits ? [nearLimits.first] : []),
      ...(sees.health ? [failingHealth] : []),
      ...(sees.orphanedKeys ? [orphanedKeys] : []),
    ],
  };
}

/** Returns the read of this month's firings that the person may see; null if none. */
async function readableFirings(): Promise<FiringsRead | null> {
  const { me, currentProjectId, mayInProject } = await sessionData();
  const month = new Date().toISOString().slice(0, 7);
  if (holdsInOrganization(me, READ_ALERTS)) return firingsRead(month, null);
  return currentProjectId && mayInProject(READ_ALERTS) ? firingsRead(month, currentProjectId) : null;
}

const screens = [
  {
    href: paths.rateLimits(),
    name: "Set rate limits",
    text: "Type the project and the rate limit, fill in its fields, and see the gateway’s reply.",
  },
  {
    href: paths.roles(),
    name: "Create a role",
    text: "Name it, select its permissions, and see the role that the gateway created.",
  },
  {
    href: paths.playground(),
    name: "Try a prompt",
    text: "Type a model’s name, send a message and watch the answer stream in.",
  },
];

/** The overview for gateways that support only the specification's operations: what the console can do with them. */
function SpecificationOverview({ baseUrl }: { baseUrl: string }) {
  return (
    <div className="grid gap-8">
      <Section
        title="What this gateway offers"
        description="It supports only the operations of the specification and has no lists, so you type names and ids."
      >
        <ul className="grid gap-4 md:grid-cols-3">
          {screens.map(({ href, name, text }) => (
            <li key={href}>
              <Card className="h-full hover:bg-default-soft">
                <Link href={href} className="stretched rounded-sm font-medium text-accent-text">
                  {name}
                </Link>
                <p className="mt-1 text-sm text-muted">{text}</p>
              </Card>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Call it from a program">
        <BaseAddress baseUrl={baseUrl} model={null} />
      </Section>
    </div>
  );
}
