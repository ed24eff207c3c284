/** antd's icons. A remote's own code has those it names: all of them would be as large as antd. */
export * from '@ant-design/icons';
