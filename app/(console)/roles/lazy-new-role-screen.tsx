"use client";

import dynamic from "next/dynamic";
import { Page } from "@/components/ui/page";
import { FormSkeleton } from "@/components/ui/states/skeleton";

/** The form in place of the list, for gateways that can't list roles. Others don't load it. */
export const LazyNewRoleScreen = dynamic(
  () => import("./new-role-screen").then((file) => file.NewRoleScreen),
  {
    loading: () => (
      <Page>
        <FormSkeleton fields={4} />
      </Page>
    ),
  },
);
