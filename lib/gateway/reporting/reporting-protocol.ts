import type { AuditWalk } from "../changes/audit/audit-chain.sql";
import type { Statement, StatementHead } from "../ledger/statements/statement";
import type { RouteActivity } from "../log/routes/describe-routes";
import type { RouteDraft, RouteSimulation } from "../log/routes/simulate-routes";
import type { ChargedUnits, ChargedUnitsQuery } from "../log/usage/charged-units.sql";
import type { ModelHealth } from "../log/usage/model-health.sql";
import type { CallSelection, CallSum } from "../log/usage/usage-reader.sql";
import type { UsageQuery, UsageRow, UsageRowQuery, UsageSummary } from "../log/usage/usage-summary";
import type { LimitDay, LimitHistory, LimitPeak } from "../rate-limits/limit-usage";
import type { ReplayAnswer, ReplayQuestion } from "../rate-limits/replay/replay-limits";

export type ReportingQuestion =
  | { readonly kind: "summarize"; readonly question: UsageQuery }
  | { readonly kind: "list"; readonly question: UsageRowQuery }
  | { readonly kind: "selection"; readonly selection: CallSelection }
  | { readonly kind: "limits"; readonly projectIds: readonly string[] | null; readonly nowMs: number }
  | {
      readonly kind: "limits of a day";
      readonly projectIds: readonly string[] | null;
      readonly nowMs: number;
    }
  | { readonly kind: "replay"; readonly question: ReplayQuestion }
  | { readonly kind: "health"; readonly fromMs: number }
  | { readonly kind: "routes"; readonly model: string; readonly fromMs: number }
  | {
      readonly kind: "simulated routes";
      readonly model: string;
      readonly fromMs: number;
      readonly draft: RouteDraft;
    }
  | { readonly kind: "charged units"; readonly question: ChargedUnitsQuery }
  | { readonly kind: "statements"; readonly nowMs: number }
  | { readonly kind: "statement"; readonly month: string; readonly nowMs: number }
  | { readonly kind: "audit chain"; readonly nowMs: number };

/** Messages to the reporting thread. */
export type ToReporting =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "ask"; readonly id: number; readonly question: ReportingQuestion }
  /** Nobody waits for the answer any more. */
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "keep peaks"; readonly atMs: number; readonly peaks: readonly LimitPeak[] }
  | { readonly kind: "close" };

export type FromReporting =
  /** How much of a replay is done, from 0 to 1. */
  | { readonly kind: "progress"; readonly id: number; readonly share: number }
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly answer:
        | UsageSummary
        | UsageRow[]
        | CallSum[]
        | null
        | LimitHistory[]
        | LimitDay[]
        | ReplayAnswer
        | ModelHealth[]
        | RouteActivity
        | RouteSimulation
        | ChargedUnits[]
        | readonly StatementHead[]
        | Statement
        | AuditWalk;
    }
  /** The failure of a question or, with a null id, of the background work. */
  | { readonly kind: "fault"; readonly id: number | null; readonly reason: string }
  | { readonly kind: "closed" };
