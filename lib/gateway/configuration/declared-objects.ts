import * as z from "zod/mini";
import { modelId } from "@/lib/contract/operations/models/models";
import { rateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { notificationChannel } from "@/lib/contract/operations/money/spend-alerts";
import { projectRoleDraft, roleDraft } from "@/lib/contract/operations/people/roles";
import { hostedToolRules } from "@/lib/contract/operations/projects/projects";
import { displayName, emailAddress } from "@/lib/contract/schema";

/** What is in the file only once: a role's name, an alert's threshold. */
function once<Item>(key: (item: Item) => string | number, what: string) {
  return z.check<readonly Item[]>(({ value, issues }) => {
    const seen = new Set<string | number>();
    for (const [index, item] of value.entries()) {
      const message = `stands here twice: ${what}`;
      if (seen.has(key(item))) issues.push({ code: "custom", input: value, path: [index], message });
      seen.add(key(item));
    }
  });
}

const byName = once<{ readonly name: string }>(({ name }) => name, "give each another name");

/** Whole cents, as a decimal of the organization's currency. */
const monthly = z
  .string()
  .check(z.regex(/^\d{1,10}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, such as "450.00"'));

/** An alert on the cost of a calendar month. */
const alert = z.strictObject({
  at: monthly,
  recipients: notificationChannel.shape.recipients,
  subject_prefix: notificationChannel.shape.subject_prefix,
});
export type DeclaredAlert = z.output<typeof alert>;

const spending = {
  /** What a calendar month may cost; null: no limit. */
  spend_limit: z.optional(z.nullable(monthly)),
  /** All alerts on what a month costs. */
  spend_alerts: z.optional(
    z.array(alert).check(
      z.maxLength(100),
      once<DeclaredAlert>(({ at }) => Number(at), "name each threshold once"),
    ),
  ),
};

const { role_name: name, ...roleFields } = roleDraft.shape;
const role = z.strictObject({ name, ...roleFields });
export type DeclaredRole = z.output<typeof role>;
const { role_name: _name, ...projectRoleFields } = projectRoleDraft.shape;
const projectRole = z.strictObject({ name, ...projectRoleFields });

const modelList = z.array(modelId).check(z.maxLength(1000));

/** The models that a project may call: each one, the listed ones, or all but those. */
const modelAccess = z.union([z.literal("all"), modelList, z.strictObject({ all_but: modelList })], {
  error: "must be all, a list of models, or all_but with such a list",
});

/** A named set of limits, which projects follow where they set none by hand. */
const limitPlan = z.strictObject({
  name: displayName,
  /** By model; `*` for every model that it doesn't name. What isn't named has the model's default. */
  rate_limits: z.optional(z.record(z.union([z.literal("*"), modelId]), rateLimitChange)),
});

const project = z.strictObject({
  name: displayName,
  /** `refuse`: calls whose tools a provider would run without a price; `leave_out` is the default. */
  hosted_tools: z.optional(z.enum(hostedToolRules)),
  models: z.optional(modelAccess),
  /** The name of the plan of rate limits that it follows; null: none. */
  limit_plan: z.optional(z.nullable(displayName)),
  /** By model, the limits that were set by hand. Models and fields that aren't named have their defaults. */
  rate_limits: z.optional(z.record(modelId, rateLimitChange)),
  ...spending,
  /** All roles of the project's own. */
  roles: z.optional(z.array(projectRole).check(byName)),
});
export type DeclaredProject = z.output<typeof project>;

const roleNames = z.array(displayName).check(z.maxLength(100));

/** Their roles in projects, by the project's name. */
const projectRoleNames = z.record(displayName, roleNames);

const group = z.strictObject({
  name: displayName,
  /** The names of its roles in the organization. */
  roles: z.optional(roleNames),
  /** The names of its roles in projects, by the project's name. */
  projects: z.optional(projectRoleNames),
});

/** A member, or somebody who is invited. */
const member = z.strictObject({
  email: z.pipe(
    emailAddress,
    z.transform((email) => email.toLowerCase()),
  ),
  /** The names of the roles that they hold directly in the organization. */
  roles: z.optional(roleNames),
  /** The names of their groups. */
  groups: z.optional(roleNames),
  projects: z.optional(projectRoleNames),
});
export type DeclaredMember = z.output<typeof member>;

/** What the file says beside providers and models. It is planned and applied, and the start doesn't read it. */
export const declaredObjects = {
  organization: z.optional(z.strictObject(spending)),
  limit_plans: z.optional(z.array(limitPlan).check(byName)),
  projects: z.optional(z.array(project).check(byName)),
  roles: z.optional(z.array(role).check(byName)),
  groups: z.optional(z.array(group).check(byName)),
  members: z.optional(
    z.array(member).check(once<{ readonly email: string }>(({ email }) => email, "name each address once")),
  ),
};
