/** The width of the slots of the rolling windows, and how many of them a window covers. */
export const MINUTE_SLOT_MS = 500;
export const DAY_SLOT_MS = 337_500;
export const MINUTE_SLOTS = 120;
export const DAY_SLOTS = 256;

/** Moves a window on to a slot: closes the open slots, and frees what has left the window. */
export const ADVANCE = `CREATE OR REPLACE FUNCTION advance_window(w windows, to_minute bigint, to_day bigint) RETURNS windows
LANGUAGE plpgsql AS $$
DECLARE freed bigint[];
BEGIN
  IF w.minute_slot < to_minute THEN
    IF w.last[1:4] <> '{0,0,0,0}' THEN
      INSERT INTO minute_slots VALUES (w.project_id, w.model, w.minute_slot, w.last[1:4]);
      w.last := ARRAY[0, 0, 0, 0, w.last[5], w.last[6]];
    END IF;
    WITH gone AS (DELETE FROM minute_slots m WHERE m.project_id = w.project_id AND m.model = w.model
        AND m.slot < to_minute - ${MINUTE_SLOTS} RETURNING amounts)
      SELECT ARRAY[sum(amounts[1]), sum(amounts[2]), sum(amounts[3]), sum(amounts[4])] INTO freed FROM gone;
    IF freed[1] IS NOT NULL THEN
      FOR i IN 1 .. 4 LOOP w.used[i] := w.used[i] - freed[i]; END LOOP;
    END IF;
    w.minute_slot := to_minute;
  END IF;
  IF w.day_slot < to_day THEN
    IF w.last[5:6] <> '{0,0}' THEN
      INSERT INTO day_slots VALUES (w.project_id, w.model, w.day_slot, w.last[5:6]);
      w.last := w.last[1:4] || '{0,0}'::bigint[];
    END IF;
    WITH gone AS (DELETE FROM day_slots d WHERE d.project_id = w.project_id AND d.model = w.model
        AND d.slot < to_day - ${DAY_SLOTS} RETURNING amounts)
      SELECT ARRAY[sum(amounts[1]), sum(amounts[2])] INTO freed FROM gone;
    IF freed[1] IS NOT NULL THEN
      w.used[5] := w.used[5] - freed[1];
      w.used[6] := w.used[6] - freed[2];
    END IF;
    w.day_slot := to_day;
  END IF;
  RETURN w;
END $$`;

/** Moves a window to the present slot. A debt enters as the window has room, slot by slot, as in memory. */
export const ROLL = `CREATE OR REPLACE FUNCTION roll_window(w windows, to_minute bigint, to_day bigint, max_tokens bigint)
RETURNS windows LANGUAGE plpgsql AS $$
DECLARE entering bigint; cycles bigint;
BEGIN
  LOOP
    entering := least(w.debt, max_tokens - w.used[2]);
    IF entering > 0 THEN
      w.used[2] := w.used[2] + entering;
      w.last[2] := w.last[2] + entering;
      w.debt := w.debt - entering;
    END IF;
    EXIT WHEN w.minute_slot >= to_minute;
    -- A full window that refills as it empties looks the same one cycle later.
    cycles := CASE WHEN w.debt > 0 AND max_tokens > 0 AND w.used[2] = max_tokens
      THEN least((to_minute - w.minute_slot) / ${MINUTE_SLOTS + 1}, w.debt / max_tokens) ELSE 0 END;
    IF cycles > 0 THEN
      UPDATE minute_slots m SET slot = slot + cycles * ${MINUTE_SLOTS + 1}
        WHERE m.project_id = w.project_id AND m.model = w.model;
      w.minute_slot := w.minute_slot + cycles * ${MINUTE_SLOTS + 1};
      w.debt := w.debt - cycles * max_tokens;
    END IF;
    w := advance_window(w, CASE WHEN w.debt > 0 AND max_tokens > 0 THEN least(to_minute, w.minute_slot + 1)
      ELSE to_minute END, w.day_slot);
  END LOOP;
  RETURN advance_window(w, to_minute, to_day);
END $$`;

/** Gives back what was taken in one slot, at most what is left of it. `give` has the place of each limit. */
export const REFUND = `CREATE OR REPLACE FUNCTION refund_window(w windows, minute bigint, day bigint, give bigint[])
RETURNS windows LANGUAGE plpgsql AS $$
DECLARE there bigint[]; back bigint;
BEGIN
  IF minute = w.minute_slot THEN there := w.last[1:4];
  ELSE
    SELECT amounts INTO there FROM minute_slots m WHERE m.project_id = w.project_id AND m.model = w.model AND m.slot = minute;
  END IF;
  IF there IS NOT NULL THEN
    FOR i IN 1 .. 4 LOOP
      back := least(give[i], there[i]);
      there[i] := there[i] - back;
      w.used[i] := w.used[i] - back;
      IF minute = w.minute_slot THEN w.last[i] := there[i]; END IF;
    END LOOP;
    IF minute <> w.minute_slot THEN
      UPDATE minute_slots m SET amounts = there WHERE m.project_id = w.project_id AND m.model = w.model AND m.slot = minute;
    END IF;
  END IF;
  IF give[5] = 0 AND give[6] = 0 THEN RETURN w; END IF;
  IF day = w.day_slot THEN there := w.last[5:6];
  ELSE
    SELECT amounts INTO there FROM day_slots d WHERE d.project_id = w.project_id AND d.model = w.model AND d.slot = day;
  END IF;
  IF there IS NULL THEN RETURN w; END IF;
  FOR i IN 5 .. 6 LOOP
    back := least(give[i], there[i - 4]);
    there[i - 4] := there[i - 4] - back;
    w.used[i] := w.used[i] - back;
    IF day = w.day_slot THEN w.last[i] := there[i - 4]; END IF;
  END LOOP;
  IF day <> w.day_slot THEN
    UPDATE day_slots d SET amounts = there WHERE d.project_id = w.project_id AND d.model = w.model AND d.slot = day;
  END IF;
  RETURN w;
END $$`;
