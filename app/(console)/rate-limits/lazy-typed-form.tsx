"use client";

import dynamic from "next/dynamic";
import { FormSkeleton } from "@/components/ui/states/skeleton";

/** The form for gateways that can't list rate limits. Others don't load it. */
export const LazyTypedForm = dynamic(
  () => import("./typed-rate-limit-form").then((file) => file.TypedRateLimitForm),
  { loading: () => <FormSkeleton fields={4} /> },
);
