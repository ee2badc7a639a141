/** The two libraries that draw charts, fetched when the first chart is shown. They are plain scripts. */

const loading = new Map();

function script(name) {
  if (!loading.has(name)) {
    loading.set(
      name,
      new Promise((resolve, reject) => {
        const element = document.createElement('script');
        element.src = `/app/lib/${name}.js`;
        element.addEventListener('load', resolve);
        element.addEventListener('error', () => reject(new Error(`${name} could not be loaded`)));
        document.head.append(element);
      }),
    );
  }
  return loading.get(name);
}

export const candleLibrary = async () => {
  await script('lightweight-charts');
  return globalThis.LightweightCharts;
};

export const lineLibrary = async () => {
  await script('uplot');
  return globalThis.uPlot;
};
