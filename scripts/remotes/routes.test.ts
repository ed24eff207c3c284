import { routesIn } from './routes';

it('reads the paths of routes, nested ones too', () => {
  const source = `
    export const Pages = () => (
      <Routes>
        <Route index element={<List />} />
        <Route path=":id?" element={<One />} />
        <Route element={<Frame />}>
          <Route path="map" element={<Map />}>
            <Route index element={<Whole />} />
            <Route path="area/:name" element={<Area />} />
          </Route>
        </Route>
        <Route path="help/*" element={<Help />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    );`;
  expect(routesIn(source)).toEqual(['', '/:id', '/map', '/map/area/:name', '/help/*']);
});

it('refuses a path that only running the code would tell', () => {
  expect(() => routesIn('export const a = <Route path={where} />;')).toThrow('has to be a text');
});
