import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { Notice } from "@/components/ui/notice";
import { Status } from "@/components/ui/status";
import { environment } from "@/lib/console/environment";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import { gatewayAnswers } from "@/lib/console/sign-in/gateway-answers";

/** Shows which gateway the sign-in is for, and whether it responds. */
export async function GatewayStatus({ next }: { next: string }) {
  const { baseUrl, isEmbedded } = environment().gateway;
  const address = <code className="font-mono break-all">{baseUrl}</code>;
  if (await gatewayAnswers(await anonymousConnection())) {
    return (
      <p className="grid gap-1 border-t pt-4 text-sm text-muted">
        <Status tone="good">The gateway answers</Status>
        {address}
      </p>
    );
  }
  return (
    <Notice
      tone="bad"
      role="alert"
      title="The gateway does not answer"
      actions={
        // A form without an action requests the current page again, with or without scripts.
        <form>
          <input type="hidden" name="next" value={next} />
          <button type="submit" className={composeButtonStyle("secondary", "small")}>
            Try again
          </button>
        </form>
      }
    >
      {isEmbedded ? "Nothing listens at " : "GATEWAY_URL names "}
      {address}
      {isEmbedded
        ? ". Start the gateway with “npm start”."
        : ". Check the address and that the gateway is running."}
    </Notice>
  );
}
