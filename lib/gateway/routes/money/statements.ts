import { findMonthSpan, formatMonth } from "@/lib/contract/calendar-month";
import type {
  StatementHead as HeadReply,
  Statement as StatementReply,
} from "@/lib/contract/operations/money/statements";
import { formatAmount } from "@/lib/money/amount";
import { toKeyCreator } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { Statement, StatementHead } from "../../ledger/statements/statement";
import { closeStatement, findStatement, type StatementContext } from "../../ledger/statements/statements";
import { listInMemory } from "../../lists/paged-list";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listStatements" | "retrieveStatement" | "closeStatement";

export function statementRoutes(context: StatementContext): Handlers<Ids> {
  const { statements, runtime, organization } = context;
  const toHead = (head: StatementHead) => describeHead(head, organization.currency, runtime.clock.nowMs());
  const toReply = (statement: Statement): StatementReply => ({
    ...toHead(statement),
    organization: organization.name,
    payment_entries: statement.paymentEntries.map(({ id, createdAtMs, reference, amount }) => ({
      id,
      created_at: toUnixSeconds(createdAtMs),
      reference,
      amount: formatAmount(amount),
    })),
    correction_entries: statement.correctionEntries.map((entry) => ({
      id: entry.id,
      created_at: toUnixSeconds(entry.createdAtMs),
      amount: formatAmount(entry.amount),
      reason: entry.reason,
      corrects: entry.corrects,
      corrected_kind: entry.correctedKind,
      corrected_at: toUnixSeconds(entry.correctedAtMs),
      corrected_reference: entry.correctedReference,
      project_id: entry.projectId,
      project_name: entry.projectName,
      model: entry.model,
    })),
    lines: statement.lines.map((line) => ({
      project_id: line.projectId,
      project_name: line.projectName,
      model: line.model,
      calls: line.calls,
      prompt_tokens: line.promptTokens,
      completion_tokens: line.completionTokens,
      charges: formatAmount(line.charges),
    })),
  });
  return {
    listStatements: async ({ query }) => {
      const heads = await statements.listStatements(runtime.clock.nowMs());
      const list = listInMemory(heads.map((head) => ({ ...head, id: head.month })));
      return paginate(list, query, toHead);
    },
    retrieveStatement: async ({ params: { month } }) => toReply(await findStatement(context, month)),
    closeStatement: async ({ params: { month }, caller, request }) =>
      toReply(await closeStatement(context, request, month, toKeyCreator(caller))),
  };
}

function describeHead(head: StatementHead, currency: string, nowMs: number): HeadReply {
  const { month, closed: isClosed } = head;
  const { startMs, endMs } = findMonthSpan(month);
  return {
    object: "statement",
    id: month,
    state: isClosed ? "closed" : month >= formatMonth(nowMs) ? "current" : "open",
    start_time: toUnixSeconds(startMs),
    end_time: toUnixSeconds(endMs),
    currency,
    opening_balance: formatAmount(head.opening),
    payments: formatAmount(head.payments),
    charges: formatAmount(head.charges),
    corrections: formatAmount(head.corrections),
    closing_balance: formatAmount(head.closing),
    entries: head.lastSeq - head.afterSeq,
    closed_at: isClosed && toUnixSeconds(isClosed.atMs),
    closed_by: isClosed && isClosed.person,
    digest: isClosed?.digest ?? null,
  };
}
