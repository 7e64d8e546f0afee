import { APPLY, ARGUMENT_NAMES, ARGUMENTS, TICK_PROCEDURE } from "./tick-procedure.sql";
import { ADVANCE, REFUND, ROLL } from "./window-functions.sql";

/**
 * The lock ends with the first, asynchronous commit. The second one waits until the log is on disk up to its end, and
 * must be of a transaction that writes, or nothing waits. A crash between the two loses this tick and all that saw it,
 * since the log is a sequence; nobody was told of either.
 */
const TICK = `CREATE OR REPLACE PROCEDURE ${TICK_PROCEDURE}(${ARGUMENTS}, INOUT reply json DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  reply := apply_${TICK_PROCEDURE}(${ARGUMENT_NAMES});
  COMMIT;
  PERFORM pg_logical_emit_message(true, 'gatehouse', '');
END $$`;

/**
 * Adopts the holds of processes whose lease has ended: they are ended by their new owner, at its next ticks. What they
 * have claimed is free again.
 */
const TAKE_OVER = `CREATE OR REPLACE FUNCTION take_over_v1(me text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE b book; former text[]; adopted bigint;
BEGIN
  SELECT * INTO b FROM book ORDER BY version DESC LIMIT 1 FOR UPDATE;
  SELECT array_agg(owner) INTO former FROM leases WHERE owner <> me
    AND ends_at_ms < greatest(b.last_ms, floor(extract(epoch FROM clock_timestamp()) * 1000));
  IF former IS NULL THEN RETURN 0; END IF;
  UPDATE holds SET owner = me WHERE owner = ANY (former);
  GET DIAGNOSTICS adopted = ROW_COUNT;
  UPDATE tasks SET claimed_by = NULL, claimed_until_ms = NULL WHERE claimed_by = ANY (former) AND ended_at_ms IS NULL;
  UPDATE batches SET claimed_by = NULL, claimed_until_ms = NULL WHERE claimed_by = ANY (former) AND ended_at_ms IS NULL;
  UPDATE task_callbacks SET claimed_by = NULL, claimed_until_ms = NULL WHERE claimed_by = ANY (former) AND status = 'pending';
  UPDATE alert_deliveries SET claimed_by = NULL, claimed_until_ms = NULL WHERE claimed_by = ANY (former) AND status = 'pending';
  DELETE FROM leases WHERE owner = ANY (former);
  RETURN adopted;
END $$`;

/** In the order in which they are made. Those that have not changed are left as they are. */
export const procedures = {
  advance_window: ADVANCE,
  roll_window: ROLL,
  refund_window: REFUND,
  [`apply_${TICK_PROCEDURE}`]: APPLY,
  [TICK_PROCEDURE]: TICK,
  take_over_v1: TAKE_OVER,
};
