import QRCode from 'antd/es/qr-code';
import s from './qr-code.module.css';

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
