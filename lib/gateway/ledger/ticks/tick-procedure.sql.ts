import { CHAINED_COLUMNS, type ChainedColumn } from "../ledger-row";
import { DAY_SLOT_MS, MINUTE_SLOT_MS } from "./window-functions.sql";

/** Stands for no limit. */
export const NO_LIMIT = 9_000_000_000_000_000_000n;
/** Of a new version, when arguments or answers change: processes of two versions run at the same time. */
export const TICK_PROCEDURE = "tick_v1";

/** The outcome of a hold: 0 is placed. */
export const OUTCOMES = {
  placed: 0,
  balance: 1,
  spendLimit: 2,
  rateLimit: 3,
  repeated: 4,
  takenOver: 5,
  stale: 6,
  noLease: 7,
} as const;
/** What a hold is besides a call's: its sum in `h_kind`. */
export const KINDS = { preview: 1, keyed: 2, ofBatch: 4 } as const;

/** The arguments of a tick, by type. */
export const ARGUMENT_TYPES = {
  me: "text",
  p: "json",
  pair_projects: "text[]",
  pair_models: "text[]",
  pair_max: "bigint[]",
  scope_ids: "text[]",
  scope_max: "bigint[]",
  h_amount: "bigint[]",
  h_pair: "int[]",
  h_scope: "int[]",
  h_needs: "bigint[]",
  h_kind: "int[]",
  e_hold: "text[]",
  e_pair: "int[]",
  e_scope: "int[]",
  e_charge: "bigint[]",
  e_late: "bigint[]",
  e_refund: "int[]",
  e_give: "bigint[]",
  r_pair: "int[]",
  r_minute: "bigint[]",
  r_day: "bigint[]",
} as const;
export const ARGUMENTS = Object.entries(ARGUMENT_TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ");
export const ARGUMENT_NAMES = Object.keys(ARGUMENT_TYPES).join(", ");

const texts: readonly ChainedColumn[] = [
  "kind",
  "id",
  "basis",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "outcome",
  "reference",
  "provider",
  "unit",
  "note",
  "corrects",
  "reason",
  "batch_id",
  "audio",
  "classes",
  "paid_on",
];
const isChainedText = (name: string) => texts.includes(name as ChainedColumn);
const typed = (columns: readonly string[], isText: (name: string) => boolean) =>
  columns.map((name) => `"${name}" ${isText(name) ? "text" : "bigint"}`).join(", ");
const names = (columns: readonly string[], of = "") => columns.map((name) => `${of}"${name}"`).join(", ");

const HOLD_TEXTS = [
  "id",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "task_id",
  "batch_id",
  "unit",
  "audio",
  "classes",
];
const HOLD_NUMBERS = [
  "amount",
  "prompt_tokens",
  "max_completion_tokens",
  "input_per_1m",
  "output_per_1m",
  "rate",
  "created_at_ms",
  "deadline_at_ms",
  "units",
  "unit_price",
];
const HOLD_COLUMNS = [...HOLD_TEXTS, ...HOLD_NUMBERS];
const TASK_TEXTS = [
  "id",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "family",
  "input",
  "callback_url",
  "callback_receiver",
  "settings",
  "trace",
];
const TASK_COLUMNS = [...TASK_TEXTS, "created_at_ms", "deadline_at_ms", "due_at_ms"];
const UNCHARGED_TEXTS = [
  "id",
  "project_id",
  "key_id",
  "model",
  "outcome",
  "refused_by",
  "facts",
  "provider",
  "trace",
  "batch_id",
];
const UNCHARGED_COLUMNS = [
  ...UNCHARGED_TEXTS,
  "at_ms",
  "stream",
  "status",
  "held",
  "estimated_tokens",
  "first_byte_ms",
  "duration_ms",
];

/**
 * One tick of one process, under the lock of `book`: ends first, then new holds in order. `p` has the rows to write as
 * JSON; the arrays have one element per hold (h_…), end (e_…), refund (r_…), pair or scope, or six for the limits. The
 * organization is the first scope. Each statement finds its rows by a whole key, so none of them has a second plan.
 */
export const APPLY = `CREATE OR REPLACE FUNCTION apply_${TICK_PROCEDURE}(
  ${ARGUMENTS}
) RETURNS json LANGUAGE plpgsql AS $$
<<tick>>
DECLARE
  b book; now_ms bigint; clock bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  minute bigint; day bigint; month bigint; lease bigint; last_feed bigint; is_stale bool; may_hold bool;
  n_pairs int := cardinality(pair_projects); n_scopes int := cardinality(scope_ids);
  ws windows[] := '{}'; w windows; s spend; ids text[] := '{}'; versions bigint[] := '{}';
  spent bigint[] := '{}'; held bigint[] := '{}'; used bigint[] := '{}'; taken bigint[] := '{}'; late bigint[];
  gives bigint[]; ended int[] := '{}'; outcomes int[] := '{}'; at int; code int; amount_held bigint; room bigint;
  available bigint; facts jsonb := '{}'; slots jsonb := '{}'; keyed json; row_count int; entry record;
  entries bigint; charged bigint; excess bigint; new_hash bytea;
BEGIN
  SELECT * INTO b FROM book ORDER BY version DESC LIMIT 1 FOR UPDATE;
  now_ms := greatest(b.last_ms, (p->>'earliest')::bigint, least(clock, coalesce((p->>'latest')::bigint, clock)));
  minute := now_ms / ${MINUTE_SLOT_MS};
  day := now_ms / ${DAY_SLOT_MS};
  month := extract(epoch FROM date_trunc('month', to_timestamp(now_ms / 1000.0) AT TIME ZONE 'UTC')) * 1000;
  SELECT ends_at_ms INTO lease FROM leases WHERE owner = me;
  may_hold := coalesce(lease > now_ms, false);
  IF (p->>'lease_ms')::bigint > 0 THEN
    INSERT INTO leases VALUES (me, now_ms + (p->>'lease_ms')::bigint)
      ON CONFLICT (owner) DO UPDATE SET ends_at_ms = excluded.ends_at_ms;
  END IF;
  SELECT seq INTO last_feed FROM audit_logs ORDER BY seq DESC LIMIT 1;
  is_stale := coalesce(last_feed > (p->>'feed')::bigint, false);

  FOR i IN 1 .. n_pairs LOOP
    SELECT * INTO w FROM windows o WHERE o.project_id = pair_projects[i] AND o.model = pair_models[i]
      ORDER BY version DESC LIMIT 1;
    IF NOT FOUND THEN
      w := ROW(pair_projects[i], pair_models[i], 0, minute, day, '{0,0,0,0,0,0}'::bigint[], '{0,0,0,0,0,0}'::bigint[], 0);
      INSERT INTO windows VALUES (w.*);
    ELSIF w.minute_slot < minute OR w.day_slot < day OR w.debt > 0 THEN
      w := roll_window(w, minute, day, pair_max[6 * i - 4]);
    END IF;
    ws := ws || w;
  END LOOP;
  FOR i IN 1 .. n_scopes LOOP
    SELECT * INTO s FROM spend o WHERE o.scope = scope_ids[i] ORDER BY version DESC LIMIT 1;
    IF NOT FOUND THEN
      s := ROW(scope_ids[i], 0, month, 0, 0);
      INSERT INTO spend VALUES (s.*);
    END IF;
    spent := spent || CASE WHEN s.month_ms < month THEN 0 ELSE s.spent END;
    held := held || s.held;
    versions := versions || s.version;
  END LOOP;

  IF cardinality(e_hold) > 0 THEN
    ended := array_fill(0, ARRAY[cardinality(e_hold)]);
    gives := array_fill(0::bigint, ARRAY[greatest(1, 6 * cardinality(r_pair))]);
    late := array_fill(0::bigint, ARRAY[greatest(1, n_pairs)]);
    FOR i IN 1 .. cardinality(e_hold) LOOP
      IF e_hold[i] <> '' THEN
        DELETE FROM holds WHERE id = e_hold[i] AND (owner = me OR task_id IS NOT NULL) RETURNING amount INTO amount_held;
        CONTINUE WHEN NOT FOUND;
        at := e_scope[i];
        b.held := b.held - amount_held;
        held[1] := held[1] - amount_held;
        spent[1] := spent[1] + e_charge[i];
        held[at] := held[at] - amount_held;
        spent[at] := spent[at] + e_charge[i];
      END IF;
      ended[i] := 1;
      IF e_late[i] > 0 THEN late[e_pair[i]] := late[e_pair[i]] + e_late[i]; END IF;
      IF e_refund[i] > 0 THEN
        at := 6 * (e_refund[i] - 1);
        FOR k IN 1 .. 6 LOOP gives[at + k] := gives[at + k] + e_give[6 * (i - 1) + k]; END LOOP;
      END IF;
    END LOOP;
    FOR r IN 1 .. cardinality(r_pair) LOOP
      ws[r_pair[r]] := refund_window(ws[r_pair[r]], r_minute[r], r_day[r], gives[6 * r - 5 : 6 * r]);
    END LOOP;
    FOR i IN 1 .. n_pairs LOOP
      CONTINUE WHEN late[i] = 0;
      w := ws[i];
      room := CASE WHEN w.debt > 0 THEN 0 ELSE least(late[i], greatest(0, pair_max[6 * i - 4] - w.used[2])) END;
      w.used[2] := w.used[2] + room;
      w.last[2] := w.last[2] + room;
      w.debt := w.debt + late[i] - room;
      ws[i] := w;
    END LOOP;

    SELECT count(*), coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0),
        coalesce(sum(amount) FILTER (WHERE kind <> 'charge'), 0), sha256(b.hash || string_agg(decode(digest, 'hex'), '' ORDER BY n))
      INTO entries, charged, excess, new_hash
      FROM json_to_recordset(p->'entries') AS e(n int, at int, digest text, kind text, amount bigint) WHERE ended[e.at] = 1;
    IF entries > 0 THEN
      INSERT INTO ledger_entries (seq, ${names(CHAINED_COLUMNS)}, trace, balance_after, hash)
        SELECT b.seq + nth, ${names(CHAINED_COLUMNS, "e.")}, trace, b.balance - running, CASE WHEN nth = entries THEN new_hash END
        FROM (SELECT *, row_number() OVER (ORDER BY n) AS nth,
            sum(CASE kind WHEN 'charge' THEN amount ELSE 0 END) OVER (ORDER BY n)::bigint AS running
          FROM json_to_recordset(p->'entries') AS e(n int, at int, trace text, ${typed(CHAINED_COLUMNS, isChainedText)})
          WHERE ended[e.at] = 1) e;
      b.seq := b.seq + entries;
      b.hash := new_hash;
      b.balance := b.balance - charged;
      b.charges := b.charges + charged + excess;
      b.variance := b.variance - excess;
    END IF;
    IF p->'uncharged' IS NOT NULL THEN
      INSERT INTO uncharged_calls (${names(UNCHARGED_COLUMNS)}) SELECT ${names(UNCHARGED_COLUMNS, "u.")}
        FROM json_to_recordset(p->'uncharged') AS u(at int, ${typed(UNCHARGED_COLUMNS, (name) => UNCHARGED_TEXTS.includes(name))})
        WHERE ended[u.at] = 1;
    END IF;
    FOR entry IN SELECT * FROM json_to_recordset(coalesce(p->'replies', '[]')) AS x(at int, scope text, key text, request_id text, reply text) LOOP
      CONTINUE WHEN ended[entry.at] = 0;
      IF entry.reply IS NULL THEN
        DELETE FROM idempotency_keys i WHERE i.scope = entry.scope AND i.key = entry.key AND i.request_id = entry.request_id;
      ELSE
        UPDATE idempotency_keys i SET reply = entry.reply
          WHERE i.scope = entry.scope AND i.key = entry.key AND i.request_id = entry.request_id;
      END IF;
    END LOOP;
    FOR entry IN SELECT * FROM json_to_recordset(coalesce(p->'task_ends', '[]'))
        AS x(at int, id text, status text, ended_at_ms bigint, error text, outputs text) LOOP
      CONTINUE WHEN ended[entry.at] = 0;
      UPDATE tasks t SET status = entry.status, ended_at_ms = entry.ended_at_ms, error = entry.error, outputs = entry.outputs,
          input = NULL, trace = NULL, due_at_ms = NULL, claimed_by = NULL, claimed_until_ms = NULL,
          progress = CASE entry.status WHEN 'succeeded' THEN 100 ELSE progress END
        WHERE t.id = entry.id AND t.ended_at_ms IS NULL;
      INSERT INTO task_callbacks (task_id, receiver, url, status, tries, due_at_ms)
        SELECT t.id, callback_receiver, callback_url, 'pending', 0, t.ended_at_ms FROM tasks t
        WHERE t.id = entry.id AND callback_url IS NOT NULL;
    END LOOP;
  END IF;

  UPDATE holds h SET checkpoint_completion_tokens = c.tokens, stream = c.stream, provider = c.provider, trace = c.trace
    FROM json_to_recordset(p->'checkpoints') AS c(id text, tokens bigint, stream bigint, provider text, trace text)
    WHERE h.id = c.id AND h.owner = me;

  -- From here on each pair has its six limits at 6 * (pair - 1) + 1 and after; a debt counts as used.
  FOR i IN 1 .. n_pairs LOOP
    w := ws[i];
    used := used || w.used;
    used[6 * i - 4] := used[6 * i - 4] + w.debt;
  END LOOP;
  available := b.balance - b.held;
  IF cardinality(h_amount) > 0 THEN
    outcomes := array_fill(0, ARRAY[cardinality(h_amount)]);
    taken := array_fill(0::bigint, ARRAY[6 * n_pairs]);
    FOR i IN 1 .. cardinality(h_amount) LOOP
      at := 6 * (h_pair[i] - 1);
      code := 0;
      IF is_stale THEN code := ${OUTCOMES.stale};
      ELSIF NOT may_hold THEN code := ${OUTCOMES.noLease};
      ELSIF h_amount[i] > available THEN code := ${OUTCOMES.balance};
      ELSIF h_amount[i] > scope_max[1] - spent[1] - held[1]
        OR h_amount[i] > scope_max[h_scope[i]] - spent[h_scope[i]] - held[h_scope[i]] THEN code := ${OUTCOMES.spendLimit};
      ELSE
        FOR k IN 1 .. 6 LOOP
          IF h_needs[6 * (i - 1) + k] > 0 AND used[at + k] + h_needs[6 * (i - 1) + k] > pair_max[at + k] THEN
            code := ${OUTCOMES.rateLimit};
          END IF;
        END LOOP;
      END IF;
      IF code = 0 AND h_kind[i] & ${KINDS.ofBatch} > 0 THEN
        PERFORM FROM batches WHERE id = p->'batches'->>(i::text) AND claimed_by = me AND ended_at_ms IS NULL;
        IF NOT FOUND THEN code := ${OUTCOMES.takenOver}; END IF;
      END IF;
      IF code = 0 AND h_kind[i] & ${KINDS.keyed} > 0 THEN
        keyed := p->'keyed'->(i::text);
        INSERT INTO idempotency_keys AS k (scope, key, body_hash, reply, created_at_ms, request_id)
          VALUES (keyed->>'scope', keyed->>'key', keyed->>'body_hash', keyed->>'reply', (keyed->>'created_at_ms')::bigint, keyed->>'request_id')
          ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash, reply = excluded.reply,
            created_at_ms = excluded.created_at_ms, request_id = excluded.request_id
          WHERE NOT EXISTS (SELECT FROM holds WHERE id = 'hold_' || substr(k.request_id, 5))
            AND (k.created_at_ms <= (keyed->>'since')::bigint
              OR NOT EXISTS (SELECT FROM ledger_entries WHERE id = 'txn_' || substr(k.request_id, 5))
              AND NOT EXISTS (SELECT FROM tasks WHERE request_id = k.request_id));
        GET DIAGNOSTICS row_count = ROW_COUNT;
        IF row_count = 0 THEN code := ${OUTCOMES.repeated}; END IF;
      END IF;
      outcomes[i] := code;
      IF code = 0 AND h_kind[i] & ${KINDS.preview} = 0 THEN
        available := available - h_amount[i];
        b.held := b.held + h_amount[i];
        held[1] := held[1] + h_amount[i];
        held[h_scope[i]] := held[h_scope[i]] + h_amount[i];
        FOR k IN 1 .. 6 LOOP
          room := h_needs[6 * (i - 1) + k];
          IF room > 0 THEN
            used[at + k] := used[at + k] + room;
            taken[at + k] := taken[at + k] + room;
          END IF;
        END LOOP;
      ELSIF code IN (${OUTCOMES.balance}, ${OUTCOMES.spendLimit}, ${OUTCOMES.rateLimit}) OR h_kind[i] & ${KINDS.preview} > 0 THEN
        facts := facts || jsonb_build_object(i, jsonb_build_object('available', available::text,
          'organization', (spent[1] + held[1])::text, 'project', (spent[h_scope[i]] + held[h_scope[i]])::text,
          'used', used[at + 1 : at + 6]));
      END IF;
      IF code = ${OUTCOMES.rateLimit} AND NOT slots ? h_pair[i]::text THEN
        slots := slots || jsonb_build_object(h_pair[i], jsonb_build_object(
          'minute', (SELECT coalesce(jsonb_agg(jsonb_build_array(slot, amounts) ORDER BY slot), '[]') FROM minute_slots m
            WHERE m.project_id = pair_projects[h_pair[i]] AND m.model = pair_models[h_pair[i]]),
          'day', (SELECT coalesce(jsonb_agg(jsonb_build_array(slot, amounts) ORDER BY slot), '[]') FROM day_slots d
            WHERE d.project_id = pair_projects[h_pair[i]] AND d.model = pair_models[h_pair[i]]),
          'debt', ws[h_pair[i]].debt));
      END IF;
    END LOOP;
    INSERT INTO holds (owner, state, ${names(HOLD_COLUMNS)}) SELECT me, 'dispatched', ${names(HOLD_COLUMNS, "h.")}
      FROM json_to_recordset(p->'holds') AS h(n int, ${typed(HOLD_COLUMNS, (name) => HOLD_TEXTS.includes(name))})
      WHERE outcomes[h.n] = 0;
    IF p->'tasks' IS NOT NULL THEN
      INSERT INTO tasks (status, ${names(TASK_COLUMNS)}) SELECT 'queued', ${names(TASK_COLUMNS, "t.")}
        FROM json_to_recordset(p->'tasks') AS t(n int, ${typed(TASK_COLUMNS, (name) => TASK_TEXTS.includes(name))})
        WHERE outcomes[t.n] = 0;
    END IF;
  END IF;

  FOR i IN 1 .. n_pairs LOOP
    w := ws[i];
    at := 6 * (i - 1);
    IF cardinality(taken) > 0 THEN
      FOR k IN 1 .. 6 LOOP
        w.used[k] := w.used[k] + taken[at + k];
        w.last[k] := w.last[k] + taken[at + k];
      END LOOP;
    END IF;
    UPDATE windows o SET version = o.version + 1, minute_slot = w.minute_slot, day_slot = w.day_slot, used = w.used, last = w.last, debt = w.debt
      WHERE o.project_id = w.project_id AND o.model = w.model AND o.version = w.version;
  END LOOP;
  FOR i IN 1 .. n_scopes LOOP
    UPDATE spend o SET version = o.version + 1, month_ms = month, spent = tick.spent[i], held = tick.held[i]
      WHERE o.scope = scope_ids[i] AND o.version = versions[i];
  END LOOP;
  UPDATE book o SET version = o.version + 1, balance = b.balance, held = b.held, charges = b.charges, variance = b.variance,
    last_ms = now_ms, seq = b.seq, hash = b.hash WHERE o.version = b.version;
  RETURN json_build_object('now', now_ms, 'minute', minute, 'day', day, 'outcomes', outcomes, 'facts', facts, 'slots', slots,
    'ended', ended, 'used', used, 'posted', b.balance::text, 'held', b.held::text, 'spent', spent::text[],
    'spend_held', held::text[], 'feed', last_feed, 'may_hold', may_hold);
END $$`;
