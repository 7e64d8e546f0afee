import type { ReactNode } from "react";

type PlaygroundFrameProps = { settings: ReactNode; composer: ReactNode; children: ReactNode };

/** Settings at the side, the conversation beside them, the composer at its end and always in sight. */
export function PlaygroundFrame({ settings, composer, children }: PlaygroundFrameProps) {
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[264px_minmax(0,1fr)]">
      <div className="self-start lg:sticky lg:top-20">{settings}</div>
      <div className="-mb-6 flex min-h-[calc(100dvh-15rem)] max-w-[760px] flex-col sm:-mb-8 lg:min-h-[calc(100dvh-10rem)]">
        <div className="flex-1 pb-8">{children}</div>
        <div className="sticky bottom-0 z-10 bg-background pb-4">{composer}</div>
      </div>
    </div>
  );
}
