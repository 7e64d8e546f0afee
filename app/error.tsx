"use client";

import { ScreenError, type ScreenErrorProps } from "./screen-error";

export default function ErrorPage(props: ScreenErrorProps) {
  return (
    <main>
      <ScreenError {...props} />
    </main>
  );
}
