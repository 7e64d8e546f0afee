import { membersRead } from "@/components/roles/member-reads";
import { checkedParameters } from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { DAY_S } from "@/lib/contract/durations";

/** Parameters of the address that filter members. */
export const filterNames = ["role_id", "group_id", "two_factor", "last_sign_in", "deactivated"] as const;

/** What `last_sign_in` may be, with the days since then; null for members who never signed in. */
const daysWithout: Readonly<Record<string, number | null>> = { "30": 30, "90": 90, "180": 180, never: null };

export const signInChoices = [
  { value: "30", label: "Not in 30 days" },
  { value: "90", label: "Not in 90 days" },
  { value: "180", label: "Not in 180 days" },
  { value: "never", label: "Never" },
];

export const twoFactorChoices = [
  { value: "true", label: "On" },
  { value: "false", label: "Off" },
];

export const activityChoices = [
  { value: "false", label: "Active" },
  { value: "true", label: "Deactivated" },
];

const isFlag = (text: string) => text === "true" || text === "false";

const checks = {
  two_factor: isFlag,
  deactivated: isFlag,
  last_sign_in: (text: string) => text in daysWithout,
};

/** The filters that the address sets; `since` of one by the last sign-in counts from `openedAt`, in Unix seconds. */
export function readMemberFilter(findInAddress: FindInAddress, openedAt: number) {
  const { last_sign_in: last, ...filter } = checkedParameters(filterNames, checks, findInAddress);
  const days = last === undefined ? undefined : daysWithout[last];
  const since = days === null ? 1 : days && openedAt - days * DAY_S;
  return { ...filter, last_sign_in: last, ...(since && { not_signed_in_since: String(since) }) };
}

/** The read of the members who pass a filter. */
export function memberListRead(filter: ReturnType<typeof readMemberFilter>) {
  const [id, parameters] = membersRead;
  const { last_sign_in: _, ...query } = filter;
  return [id, { ...parameters, ...query } as ReadParameters] as const;
}
