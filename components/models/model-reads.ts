import { wholeList } from "@/components/queries/reads/whole-list";

/** The reads of every model screen, made in parallel. */
export const modelReads = {
  models: wholeList("listOrganizationModels"),
  providers: wholeList("listProviders"),
};
