"use client";

import { useState } from "react";

const NARROWEST_PX = 220;
export const FIRST_PX = 304;
export const MAX_WIDTH_PX = 480;

export type RailState = ReturnType<typeof useRail>;

/** The settings are open at first next to the panes, but folded on a phone. */
export function useRail() {
  const [isOpen, setIsOpen] = useState(true);
  const [isOpenOnPhone, setIsOpenOnPhone] = useState(false);
  const [widthPx, setWidthPx] = useState(FIRST_PX);
  return {
    isOpen,
    isOpenOnPhone,
    widthPx,
    toggle: () => setIsOpen((before) => !before),
    toggleOnPhone: () => setIsOpenOnPhone((before) => !before),
    resize: (pixels: number) =>
      setWidthPx((before) => Math.min(MAX_WIDTH_PX, Math.max(NARROWEST_PX, before + pixels))),
    unfold: () => {
      setIsOpen(true);
      setIsOpenOnPhone(true);
    },
  };
}
