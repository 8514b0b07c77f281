import { useAtom } from 'jotai';
import type { ReactNode } from 'react';

import { useText } from '#src/i18n/i18n.ts';
import { usePanel } from '#src/panel/Panel.tsx';
import { panelWidthAtom } from '#src/state/panel-width.ts';
import { SplitPanel } from '#src/ui/SplitPanel.tsx';

import { ChartArea } from './ChartArea.tsx';
import { usePanelHost } from './use-panel-host.ts';

/** A screen without a table, with the panel for forms and items next to it. */
export function PanelLayout({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [width, setWidth] = useAtom(panelWidthAtom);
  const panelState = usePanelHost();
  const panel = usePanel(panelState);
  return (
    <SplitPanel panel={panel} width={width} onWidth={setWidth} resizeLabel={t('panel.resize')}>
      <ChartArea top={panelState.top}>{children}</ChartArea>
    </SplitPanel>
  );
}
