import { useIsGatewayDown } from "@/components/queries/states/gateway-down";
import type { ShownRead } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

type ModelsStateProps = {
  read: ShownRead<unknown>;
  /** Whether the person may read models. */
  canRead: boolean;
};

/** Says why no model can be chosen or compared, or since when the models are outdated. */
export function ModelsState({ read, canRead }: ModelsStateProps) {
  const isGatewayDown = useIsGatewayDown(read.error?.problem);
  if (canRead && !read.error) return null;
  if (canRead && read.data !== undefined) return <StaleNotice read={read} />;
  // The bar above the page then gives the reason and the button.
  return (
    <div className="mb-6">
      {canRead ? (
        <Notice
          role="alert"
          tone="bad"
          title="The models could not be read"
          actions={
            !isGatewayDown && (
              <Button size="small" pending={read.isFetching} onClick={() => void read.refetch()}>
                Try again
              </Button>
            )
          }
        >
          {!isGatewayDown && read.error?.problem.message} Until then the calculator works with a rate and
          prices that you type.
        </Notice>
      ) : (
        <Notice title="Models can’t be chosen or compared">
          That takes the permission <code className="font-mono">api.models.read</code>. The calculator works
          with a rate and prices that you type.
        </Notice>
      )}
    </div>
  );
}
