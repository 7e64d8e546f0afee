// Apart from the range of visible rows, which short tables don’t load.

/** 36 px plus the border. */
export const ROW_PX = 37;

/** The rows that are rendered before a screen is painted: as many as a table at the window's top has room for. */
export const countFirstRows = () => Math.ceil(window.innerHeight / ROW_PX);

/** Stands in place of rows that are not rendered. */
export function Gap({ height }: { height: number }) {
  return (
    <tr role="presentation" aria-hidden className="gap">
      <td style={{ height }}>&nbsp;</td>
    </tr>
  );
}
