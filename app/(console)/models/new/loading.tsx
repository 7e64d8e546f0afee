import { ModelSkeleton } from "../model-skeleton";

export default function Loading() {
  return <ModelSkeleton />;
}
