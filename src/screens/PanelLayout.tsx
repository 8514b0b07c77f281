import type { ReactNode } from 'react';

import { PanelArea } from './PanelArea.tsx';
import { usePanelHost } from './use-panel-host.ts';

/** A screen without a table, with the panel for forms and items next to it. */
export function PanelLayout({ children }: { readonly children: ReactNode }) {
  return <PanelArea state={usePanelHost()}>{children}</PanelArea>;
}
