"use client";

import { type ComponentProps, useEffect, useRef } from "react";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className"> & { indeterminate?: boolean };

export function Checkbox({ indeterminate = false, ...input }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate;
  }, [indeterminate]);

  return <input ref={box} {...input} type="checkbox" className="checkbox" />;
}
