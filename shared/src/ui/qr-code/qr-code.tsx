import AntQrCode from 'antd/es/qr-code';
import { themed } from '../antd/themed';
import s from './qr-code.module.css';

const QRCode: typeof AntQrCode = themed(AntQrCode);

/** A QR code, always dark on white because cameras do not read the inverse. `label`: description of the content. */
export function QrCode({ value, label, size = 176 }: { value: string; label: string; size?: number }) {
  return (
    <div className={s.ground}>
      <QRCode
        aria-label={label}
        value={value}
        type="svg"
        size={size}
        bordered={false}
        color="#0C0D10"
        bgColor="#FFFFFF"
        errorLevel="M"
        marginSize={0}
      />
    </div>
  );
}
