"use client";

import { useEffect, useState } from "react";
import { Notice } from "@/components/ui/notice";
import type { Problem } from "@/lib/console/gateway/problem";

/** Shows why a whole form was refused. If a wait is required, counts down until the next attempt. */
export function RefusalNotice({ refusal, title }: { refusal: Problem; title: string }) {
  const waitSeconds = refusal.code === "rate_limited" ? refusal.retryAfterSeconds : null;
  if (waitSeconds !== null) return <WaitNotice refusal={refusal} seconds={waitSeconds} />;
  return (
    <Notice tone="bad" role="alert" title={refusal.code === "rate_limited" ? "Too many attempts" : title}>
      {refusal.message}
    </Notice>
  );
}

function WaitNotice({ refusal, seconds }: { refusal: Problem; seconds: number }) {
  const [waited, setWaited] = useState({ refusal, seconds: 0 });
  useEffect(() => {
    const since = performance.now();
    const tick = () => setWaited({ refusal, seconds: Math.floor((performance.now() - since) / 1000) });
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [refusal]);

  const left = seconds - (waited.refusal === refusal ? waited.seconds : 0);
  if (left <= 0) {
    return (
      <Notice role="status" title="You can try again now">
        If it is refused again, the next wait is twice as long.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" role="alert" title="Too many attempts">
      Try again in <span role="timer">{formatWait(left)}</span>. Nothing is tried until then.
    </Notice>
  );
}

function formatWait(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
