import type { Nano } from "@/lib/money/amount";

/** Which charges to sum: those of one model, by their time. */
export interface ChargedUnitsQuery {
  readonly model: string;
  /** Null for all. */
  readonly projectIds: readonly string[] | null;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** The units of one project at one list price. */
export interface ChargedUnits {
  readonly projectId: string;
  /** Null if it is no longer known. */
  readonly projectName: string | null;
  readonly unit: string;
  readonly listPrice: Nano;
  /** Millionths of the unit. */
  readonly units: bigint;
  readonly calls: number;
  readonly amount: Nano;
}

export interface ChargedUnitsReader {
  /** The largest amounts first. */
  chargedUnits(query: ChargedUnitsQuery): Promise<ChargedUnits[]>;
}
