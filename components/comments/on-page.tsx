import type { ReactNode, RefObject } from 'react';

/**
 * A layer over the picture in which places are those on the page. It scrolls with the page: `Viewport` sets the place
 * of the picture on the page as the CSS variables `--page-x` and `--page-y`, so that no picture passes through React.
 *
 * @param props.scale screen pixels per CSS pixel of the page
 */
export function OnPage({
  scale,
  layer,
  children,
}: {
  scale: number;
  layer?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}) {
  return (
    <div className="pointer-events-none absolute inset-0 overflow-clip">
      <div
        ref={layer}
        style={{ transform: `translate(calc(var(--page-x, 0px) * ${-scale}), calc(var(--page-y, 0px) * ${-scale}))` }}
      >
        {children}
      </div>
    </div>
  );
}
