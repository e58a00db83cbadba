'use strict';
// pageMap shows the picture of a scan in the elements of the page. It returns functions to
// tell what has become of further pages, and to leave the page.
const pageMap = data => {
  const $ = id => document.getElementById(id);
  const number = n => n.toLocaleString('en-US');
  const plural = (n, what) => number(n) + ' ' + what + (n === 1 ? '' : 's');
  const size = n => n < 1024 ? n + ' B' : n < 1 << 20 ? (n / 1024).toFixed(1) + ' KiB'
    : n < 1 << 30 ? (n / (1 << 20)).toFixed(1) + ' MiB' : (n / (1 << 30)).toFixed(2) + ' GiB';
  const make = (parent, tag, text) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  };
  const leaving = new AbortController();
  const listen = (to, event, handler) => to.addEventListener(event, handler, {signal: leaving.signal});
  const DATA = 0, DICTIONARY = 1, BETWEEN = 2;

  // What each column shows: its data pages in the order of rows, and its dictionaries.
  const columns = data.Columns.map(c => {
    const pages = [], dictionaries = [];
    (c.Kind || []).forEach((kind, i) => {
      if (kind === DATA) pages.push(i);
      if (kind === DICTIONARY) dictionaries.push(i);
    });
    const guessed = new Set(c.Guessed || []);
    return Object.assign(c, {pages, dictionaries, guessed});
  });
  const used = columns.filter(c => c.Use);
  let all = columns.length <= 40 || used.length === 0;
  let shown = [];
  let largest = 1;
  for (const c of columns) for (const i of c.pages) largest = Math.max(largest, c.Bytes[i]);

  // The part of the rows in view, the classes that are shown, and the page under the cursor.
  const view = {from: 0, to: Math.max(data.Rows, 1), group: -1};
  const only = new Set();
  let at = null;

  const style = () => {
    const s = getComputedStyle(document.documentElement);
    const colours = {};
    for (const name of ['back', 'text', 'quiet', 'line', 'focus', 'decoded', 'unpacked', 'header', 'dictionary',
      'statistics', 'index', 'bloom', 'proven', 'dropped', 'other', 'none', 'open', 'all'])
      colours[name] = s.getPropertyValue('--' + name).trim();
    return colours;
  };
  const sheet = (canvas, height) => {
    const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth;
    canvas.style.height = height + 'px';
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = '12px system-ui, sans-serif';
    g.textBaseline = 'middle';
    return {g, width, height};
  };
  const fitted = (g, text, width) => {
    if (g.measureText(text).width <= width) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (g.measureText(text.slice(0, mid) + '…').width <= width) low = mid; else high = mid - 1;
    }
    return text.slice(0, low) + '…';
  };

  // Where things are on the canvas.
  const gutter = 190, axis = 22, strip = 18;
  let band = 34;
  const layout = () => {
    shown = all ? columns : used;
    band = Math.max(5, Math.min(34, Math.floor(14000 / Math.max(shown.length, 1))));
    const top = axis + (data.Conditions || []).length * strip + 6;
    return {top, height: top + shown.length * (band + 4) + 4};
  };
  const scaleOf = width => {
    const k = (width - gutter - 4) / (view.to - view.from);
    return {x: row => gutter + (row - view.from) * k, row: x => view.from + (x - gutter) / k, k};
  };

  const draw = () => {
    const c = style(), {top, height} = layout(), {g, width} = sheet($('cells'), height), {x, k} = scaleOf(width);
    const clip = row => Math.min(Math.max(row, view.from), view.to);
    (data.Conditions || []).forEach((t, i) => {
      const y = axis + i * strip;
      g.fillStyle = c.text;
      g.fillText(fitted(g, t.Text, gutter - 12), 0, y + strip / 2);
      const bar = (list, colour) => {
        g.fillStyle = colour;
        for (const r of list || []) {
          const from = clip(r.From), to = clip(r.To);
          if (to > from) g.fillRect(x(from), y + 3, Math.max((to - from) * k, 0.5), strip - 7);
        }
      };
      bar([{From: 0, To: data.Rows}], c.open);
      bar(t.None, c.none);
      bar(t.All, c.all);
    });
    shown.forEach((col, n) => {
      const y = top + n * (band + 4);
      g.globalAlpha = 1;
      if (band >= 12) {
        g.fillStyle = col.Use ? c.text : c.quiet;
        g.fillText(fitted(g, col.Name, gutter - 12), 0, y + band / 2);
      }
      let lastX = -1, lastFate = -1, lastHigh = 0;
      const first = firstPage(col, view.from);
      for (let p = first; p < col.pages.length; p++) {
        const i = col.pages[p], row = col.Row[i];
        if (row >= view.to) break;
        const from = clip(row), to = clip(row + col.Rows[i]);
        const left = x(from), wide = Math.max((to - from) * k, 0), high = Math.max(3, (band - 6) * col.Bytes[i] / largest);
        if (wide < 0.5 && Math.floor(left) === lastX && col.Fate[i] === lastFate && high <= lastHigh) continue;
        lastX = Math.floor(left); lastFate = col.Fate[i]; lastHigh = high;
        const kind = data.Fates[col.Fate[i]].Class;
        g.globalAlpha = only.size && !only.has(col.Fate[i]) ? 0.12 : 1;
        g.fillStyle = c[kind];
        g.fillRect(left, y + band - high, Math.max(wide - (wide > 3 ? 1 : 0), 0.6), high);
      }
      for (const i of col.dictionaries) {
        const from = clip(col.Row[i]), to = clip(col.Row[i] + col.Rows[i]);
        if (to <= from || band < 12) continue;
        g.globalAlpha = only.size && !only.has(col.Fate[i]) ? 0.12 : 1;
        g.fillStyle = c[data.Fates[col.Fate[i]].Class];
        g.fillRect(x(from), y, Math.max((to - from) * k - 1, 0.6), 3);
      }
      g.globalAlpha = 1;
      g.strokeStyle = c.line;
      g.beginPath(); g.moveTo(gutter, y + band + 0.5); g.lineTo(width, y + band + 0.5); g.stroke();
    });
    g.strokeStyle = c.quiet;
    g.fillStyle = c.quiet;
    let free = gutter;
    (data.Groups || []).forEach((r, i) => {
      if (r.Row + r.Rows <= view.from || r.Row >= view.to) return;
      const left = x(clip(r.Row));
      if ((clip(r.Row + r.Rows) - clip(r.Row)) * k > 2) {
        g.globalAlpha = 0.5;
        g.beginPath(); g.moveTo(left + 0.5, axis - 4); g.lineTo(left + 0.5, height); g.stroke();
        g.globalAlpha = 1;
      }
      const text = 'row group ' + i;
      if (left >= free && (clip(r.Row + r.Rows) - clip(r.Row)) * k > g.measureText(text).width + 4) {
        g.fillText(text, left + 3, axis / 2);
        free = left + g.measureText(text).width + 8;
      }
    });
    if (at) {
      const n = shown.indexOf(at.column), i = at.page, col = at.column;
      const from = clip(col.Row[i]), to = clip(col.Row[i] + col.Rows[i]);
      g.strokeStyle = c.focus;
      g.lineWidth = 2;
      if (n >= 0) g.strokeRect(x(from) - 1, top + n * (band + 4) - 1, Math.max((to - from) * k, 2) + 1, band + 2);
      g.lineWidth = 1;
    }
    $('range').textContent = view.group >= 0 ? 'row group ' + view.group : plural(data.Rows, 'row') +
      (shown.length < columns.length ? '; ' + plural(columns.length - shown.length, 'column') + ' not used: press a to see all' : '');
    $('out').hidden = view.group < 0;
  };

  // firstPage returns the place in col.pages of the first page that ends after row.
  const firstPage = (col, row) => {
    let low = 0, high = col.pages.length;
    while (low < high) {
      const mid = (low + high) >> 1, i = col.pages[mid];
      if (col.Row[i] + col.Rows[i] > row) high = mid; else low = mid + 1;
    }
    return low;
  };

  const describe = () => {
    if (!at) { $('tip').textContent = 'Move over a page, or press the arrow keys: here stands what is known of it. Click or press Enter to see one row group.\nA cell is as wide as its page has rows, and as high as it has bytes. Thin bars on top are dictionaries.'; return; }
    const c = at.column, i = at.page, lines = [];
    const rows = number(c.Row[i]) + '–' + number(c.Row[i] + Math.max(c.Rows[i] - 1, 0));
    const what = c.Kind[i] === DICTIONARY ? 'dictionary' : 'page ' + c.Number[i];
    lines.push(c.Name + '  ' + c.Type + ', row group ' + c.Group[i] + ', ' + what + ': ' + data.Fates[c.Fate[i]].Name);
    lines.push((c.guessed.has(i) ? 'about ' : '') + 'rows ' + rows + ', ' + plural(c.Rows[i], 'row') + '; ' + size(c.Bytes[i]) + ' at ' + number(c.Offset[i]) +
      (c.Nulls[i] >= 0 ? '; ' + plural(c.Nulls[i], 'null') : ''));
    if (c.Min[i] !== '' || c.Max[i] !== '') lines.push('values ' + c.Min[i] + ' … ' + c.Max[i]);
    $('tip').textContent = lines.join('\n');
  };
  const go = place => { at = place; draw(); describe(); };

  const hit = (px, py) => {
    const {top} = layout(), n = Math.floor((py - top) / (band + 4));
    if (n < 0 || n >= shown.length || px < gutter) return null;
    const col = shown[n], row = scaleOf($('cells').clientWidth).row(px);
    if (row < view.from || row >= view.to) return null;
    if (py - top - n * (band + 4) < 5) {
      const d = col.dictionaries.find(i => col.Row[i] <= row && row < col.Row[i] + col.Rows[i]);
      if (d !== undefined) return {column: col, page: d};
    }
    const p = firstPage(col, row);
    if (p >= col.pages.length || col.Row[col.pages[p]] > row) return null;
    return {column: col, page: col.pages[p]};
  };
  const map = $('map');
  listen(map, 'mousemove', e => {
    const r = $('cells').getBoundingClientRect(), found = hit(e.clientX - r.left, e.clientY - r.top);
    if (found && (!at || at.column !== found.column || at.page !== found.page)) go(found);
  });
  listen(map, 'click', e => {
    const r = $('cells').getBoundingClientRect(), found = hit(e.clientX - r.left, e.clientY - r.top);
    if (found) { at = found; zoom(found.column.Group[found.page]); }
  });
  const zoom = group => {
    view.group = group;
    const r = group >= 0 ? data.Groups[group] : {Row: 0, Rows: Math.max(data.Rows, 1)};
    view.from = r.Row; view.to = r.Row + Math.max(r.Rows, 1);
    draw(); describe();
  };
  listen($('out'), 'click', () => zoom(-1));
  listen(map, 'keydown', e => {
    const key = e.key, start = shown.find(c => c.pages.length);
    if (key === 'Escape') zoom(-1);
    else if (key === 'a') { all = !all; go(null); }
    else if (!start) return;
    else if (!at) { if (key.startsWith('Arrow') || key === 'Enter') go({column: start, page: start.pages[firstPage(start, view.from)] ?? start.pages[0]}); else return; }
    else if (key === 'Enter') zoom(view.group >= 0 ? -1 : at.column.Group[at.page]);
    else if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const c = at.column, p = c.pages.indexOf(at.page) + (key === 'ArrowRight' ? 1 : -1);
      if (p >= 0 && p < c.pages.length) { go({column: c, page: c.pages[p]}); if (view.group >= 0 && c.Group[at.page] !== view.group) zoom(c.Group[at.page]); }
    } else if (key === 'ArrowUp' || key === 'ArrowDown') {
      const row = at.column.Row[at.page];
      for (let n = shown.indexOf(at.column) + (key === 'ArrowDown' ? 1 : -1); n >= 0 && n < shown.length; n += key === 'ArrowDown' ? 1 : -1) {
        const c = shown[n];
        if (!c.pages.length) continue;
        go({column: c, page: c.pages[Math.min(firstPage(c, row), c.pages.length - 1)]});
        break;
      }
    } else return;
    e.preventDefault();
  });

  const legend = () => {
    const c = style(), box = $('legend');
    box.textContent = '';
    data.Fates.forEach((f, i) => {
      if (!f.Bytes) return;
      const b = make(box, 'button'), mark = make(b, 'i');
      mark.style.background = c[f.Class];
      make(b, 'span', f.Name);
      make(b, 'small', plural(f.Pages, 'page') + ', ' + size(f.Bytes));
      b.setAttribute('aria-pressed', only.has(i));
      b.addEventListener('click', () => { only.has(i) ? only.delete(i) : only.add(i); legend(); draw(); });
    });
    if ((data.Conditions || []).length) {
      make(box, 'span', 'Conditions:').className = 'part';
      for (const [name, text] of [['none', 'no row passes'], ['open', 'must be tested'], ['all', 'all rows pass']]) {
        const b = make(box, 'button');
        b.disabled = true;
        make(b, 'i').style.background = c[name];
        make(b, 'span', text);
      }
    }
  };

  const spans = () => {
    const list = data.Spans || [];
    $('time').hidden = !list.length;
    if (!list.length) return;
    const lanes = [], placed = list.map(s => {
      let lane = lanes.findIndex(end => end <= s.Start);
      if (lane < 0 && lanes.length < 16) lane = lanes.push(0) - 1;
      if (lane < 0) lane = 15;
      lanes[lane] = Math.max(lanes[lane], s.End);
      return lane;
    });
    const end = Math.max(...list.map(s => s.End), 0.001), c = style(), {g, width} = sheet($('spans'), lanes.length * 14 + 20);
    list.forEach((s, i) => {
      const left = gutter + s.Start / end * (width - gutter - 4), wide = Math.max((s.End - s.Start) / end * (width - gutter - 4), 1);
      g.fillStyle = s.Request ? c.unpacked : c.statistics;
      g.fillRect(left, placed[i] * 14 + 1, wide, 11);
      if (wide > 40) { g.fillStyle = '#ffffff'; if (s.Request) g.fillStyle = '#1b1f24'; g.fillText(fitted(g, s.Text, wide - 6), left + 3, placed[i] * 14 + 7); }
    });
    g.fillStyle = c.quiet;
    g.fillText('0', gutter, lanes.length * 14 + 10);
    const last = end.toFixed(end < 10 ? 2 : 0) + ' ms';
    g.fillText(last, width - g.measureText(last).width - 4, lanes.length * 14 + 10);
  };

  const sums = () => {
    for (const id of ['sums', 'conditions', 'notes']) $(id).textContent = '';
    const t = $('sums'), row = (cells, tag) => { const r = make(t, 'tr'); cells.forEach(v => make(r, tag || 'td', v)); };
    row(['column chunks', 'pages', 'bytes'], 'th');
    let pages = 0, bytes = 0;
    for (const f of data.Fates) {
      if (!f.Bytes && !f.Pages) continue;
      row([f.Name, number(f.Pages), number(f.Bytes)]);
      pages += f.Pages; bytes += f.Bytes;
    }
    row(['footer, indexes, Bloom filters', '', number(data.Metadata)]);
    row(['the file', number(pages), number(bytes + data.Metadata)]);
    if ((data.Conditions || []).length) {
      const c = $('conditions'), line = (cells, tag) => { const r = make(c, 'tr'); cells.forEach(v => make(r, tag || 'td', v)); };
      line(['condition', 'rows tested', 'passed', 'ms'], 'th');
      for (const x of data.Conditions) line([x.Text, number(x.Tested), number(x.Passed), x.Milliseconds.toFixed(2)]);
    }
    for (const n of data.Notes || []) make($('notes'), 'li', n);
  };

  $('file').textContent = data.File;
  $('where').textContent = data.Where ? 'WHERE ' + data.Where : '';
  $('summary').textContent = plural(data.Rows, 'row') + ', ' + number(data.MayPass) + ' may pass by metadata, ' + plural(data.Returned, 'row') + ' returned; ' +
    plural((data.Groups || []).length, 'row group') + ', ' + size(data.Size);
  document.title = 'Pages of ' + data.File;
  const redraw = () => { legend(); draw(); spans(); };
  // update takes triples of a column, a page of it, and what became of it.
  const update = list => {
    for (const [c, i, fate] of list) {
      const col = columns[c], before = data.Fates[col.Fate[i]], now = data.Fates[fate], pages = col.Kind[i] === DATA ? 1 : 0;
      before.Pages -= pages; before.Bytes -= col.Bytes[i];
      now.Pages += pages; now.Bytes += col.Bytes[i];
      col.Fate[i] = fate;
    }
    legend(); draw(); describe(); sums();
  };
  sums();
  redraw();
  describe();
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  listen(window, 'resize', redraw);
  listen(dark, 'change', redraw);
  document.documentElement.dataset.ready = 'yes';
  return {update, leave: () => leaving.abort()};
};
