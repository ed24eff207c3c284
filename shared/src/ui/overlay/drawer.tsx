import AntDrawer, { type DrawerProps } from 'antd/es/drawer';
import { X } from 'lucide-react';
import { themed } from '../antd/themed';
import { ownDirection } from '../core/pieces/own-direction';
import { useTheme } from '../core/theme/provider';

const Themed = themed(AntDrawer);
/** Looks like the panel of a worker (mfe-workers, inspector): no line below the title, the close button at the end. */
const STYLES: DrawerProps['styles'] = {
  header: { borderBlockEnd: 0, paddingBlock: '20px 0', paddingInline: '24px 16px' },
  title: { fontSize: '1.25rem', lineHeight: '1.75rem' },
  body: { padding: '16px 24px 24px' },
  close: { blockSize: 36, inlineSize: 36, padding: 0 },
  footer: { alignItems: 'center', display: 'flex', flexWrap: 'wrap', gap: 12, padding: '12px 24px' },
};
const CLOSE: DrawerProps['closable'] = {
  placement: 'end',
  closeIcon: <X size={18} />,
};

/** A panel beside the page, at its end. */
export function Drawer(props: DrawerProps) {
  const { direction } = useTheme();
  return (
    <Themed
      size={520}
      placement={direction === 'rtl' ? 'left' : 'right'}
      closable={CLOSE}
      styles={STYLES}
      {...props}
      title={ownDirection(props.title)}
    />
  );
}
