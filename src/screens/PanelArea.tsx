import { useAtom } from 'jotai';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';

import { useText } from '#src/i18n/i18n.ts';
import { Item, usePanel } from '#src/panel/Panel.tsx';
import { panelWidthAtom } from '#src/state/panel-width.ts';
import { SplitPanel } from '#src/ui/SplitPanel.tsx';

import { ChartArea } from './ChartArea.tsx';
import type { PanelState } from './use-panel-host.ts';

interface PanelAreaProps {
  readonly state: PanelState;
  readonly children: ReactNode;
}

/**
 * The content of a screen with the panel next to it. A chart or an item that fills the screen covers the content, which
 * keeps its state.
 */
export function PanelArea({ state, children }: PanelAreaProps) {
  const t = useText();
  const [width, setWidth] = useAtom(panelWidthAtom);
  const { top, tab, isFull } = state;
  const panel = usePanel(state);
  return (
    <SplitPanel panel={panel} width={width} onWidth={setWidth} resizeLabel={t('panel.resize')}>
      <ChartArea top={top}>
        <div className="relative h-full min-h-0">
          <div inert={isFull} className="h-full min-h-0">
            {children}
          </div>
          {isFull && top && (
            <Cover>
              <Item top={top} tab={tab} isFull />
            </Cover>
          )}
        </div>
      </ChartArea>
    </SplitPanel>
  );
}

/** Covers the content of a screen. Takes the focus, and returns it. */
function Cover({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    root.current?.focus();
  }, []);
  // Focus can return only after the content below is no longer inert.
  useEffect(
    () => () => {
      const { activeElement, body } = document;
      if (activeElement === body && before.current instanceof HTMLElement) before.current.focus();
    },
    [],
  );
  return (
    <div ref={root} tabIndex={-1} className="absolute inset-0 z-10 bg-surface-0 outline-none">
      {children}
    </div>
  );
}
