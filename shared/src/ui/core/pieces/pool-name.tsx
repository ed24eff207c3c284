import s from './pool-name.module.css';

/** An upstream pool by its name, with its address below. */
export const PoolName = ({ name, url, className }: { name: string; url: string; className?: string }) => (
  <span className={className ? `${s.pool} ${className}` : s.pool}>
    <bdi className={s.name}>{name}</bdi>
    <bdi className={s.url} dir="ltr">
      {url}
    </bdi>
  </span>
);
