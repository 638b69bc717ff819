package kvrank.site;

import java.util.List;
import kvrank.report.block.Glossary;
import kvrank.report.chart.Markup;
import kvrank.site.advice.Front;
import kvrank.site.advice.LowerHits;
import kvrank.site.advice.Reasons;
import kvrank.site.advice.Tally;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;

/** How to read the site. */
final class MethodPage {

  private static final List<String> RULES =
      List.of(
          "One comparison is one phase of a scenario at one factor point on one machine. Engines"
              + " are never compared across machines, and across levels of durability only at"
              + " fsync=at-least-…: each engine has its weakest level there that promises that much."
              + " If it is stricter than that of the best, a sentence that it is far behind names it.",
          "Embedded: the engine runs in the process of the program that uses it, on the machine of that"
              + " program. Server: it has a process of its own, behind a socket. Few programs can"
              + " choose between them, so each kind has its own advice: an engine is among the best,"
              + " behind the best, last, or to avoid among those of its kind. Ranks and tests come"
              + " from all engines together, as in the report. A baseline is a data structure to compare"
              + " engines with, such as a hash map with a log; there is no advice about it.",
          "Groups of threads that run at their own pace, such as readers beside a writer, have a"
              + " comparison each, by the operation that they do most. The sum of their throughput"
              + " recommends none: fast reads would hide slow writes.",
          "The executions of a scenario on a machine are merged as kvrank report merges them. Site"
              + " and report have the same ranks. An execution of which others disturbed most runs is"
              + " left out if a quiet one measured the same; the page of its machine names it. Others of"
              + " that kind recommend nothing if a quiet comparison exists for the use and level.",
          "A figure links to its runs. It is the mean of those that count. If repetitions are"
              + " missing, it is an estimate that allows for how fast the other engines were in the"
              + " others. The figure of a group of threads has a column of its own. A grey run does"
              + " not count: it failed,"
              + " or others disturbed it and enough runs are left, or its engine lost what the level"
              + " promises to keep.",
          "A lead of up to %d %% does not matter, however certain it is: engines that differ by less are"
                  .formatted(Math.round(100 * (Front.LEAD - 1)))
              + " as good as each other here.",
          "An engine is among the best if no other engine is separated from it as better by a lead that"
              + " matters, its value is less than %dx behind the first and not worse than that of an engine that is"
                  .formatted(Tally.FAR)
              + " separated so, and more than half of the other"
              + " engines of its kind are separated from it as worse by a lead that matters. It is alone"
              + " there, and the single best, if every other engine of its kind is behind another by a lead that"
              + " matters. Tables mark its row.",
          "An engine that failed by its own doing in more than half of its runs counts as last in a"
              + " comparison: for example, the limit of memory or time ended it. Failures of the"
              + " machine or of kvrank do not count.",
          "A comparison counts for an engine if any engine is among the best in it, or if this engine"
              + " failed in it. Others have no clear lead and recommend none: if most engines can be first, chance"
              + " decides which is. Comparisons that recommend an engine come first on pages.",
          "Separated: a test at %d %% confidence, corrected for all pairs of a comparison."
                  .formatted(Math.round(100 * Estimate.CONFIDENCE))
              + " Equal: shown to be within %d %%. Otherwise the data do not decide."
                  .formatted(Math.round(100 * (PairVerdict.EQUAL - 1))),
          "Reach for: engines that are among the best in all of the comparisons that count for them;"
              + " if that is one comparison each, also those that are among the best in more than half. Where"
              + " they are among the best, they met half of the other engines or more. An engine whose durability"
              + " is not proven, or that broke a promise or may lose writes at that level, is not among"
              + " them, nor is one at least %dx behind the best in another comparison."
                  .formatted(Tally.FAR)
              + " Durability that is not measurable counts against no engine.",
          "Provisionally: by one comparison only, so that another may say the opposite.",
          "A sentence that names the engines after \"the best of\" has the whole field: at most %d were compared."
              .formatted(Reasons.FEW),
          "Labelled: labels of the engine in the comparisons in which it is among the best. Harness-bound,"
              + " for example, means that the client was the limit, so the engine may be faster.",
          "At least %dx behind: by the value, whose interval may be wide.".formatted(Tally.FAR),
          "Avoid: engines that failed, or that are separated from the best, at least %dx behind"
                  .formatted(Tally.FAR)
              + " it and can be last, in more than half of their comparisons. Can be last: no engine is separated"
              + " from it as worse.",
          "Avoid for durable writes: engines that broke the promise of that level when they were"
              + " killed or their power was cut, in any scenario and on any machine. They lost"
              + " acknowledged writes, at an interval older ones than that, could not be read, or"
              + " returned records that were never written. May lose writes: neither these crashes nor"
              + " others of that kind show whether it does.",
          "Lost 40 of 1,000 acknowledged writes in the 4 that prove something: of the writes before these"
              + " crashes, and all that can be checked if these are the 40: a write to a record that was"
              + " deleted afterwards leaves no trace. Crashes without a loss that had too few"
              + " writes at stake prove nothing. Writes that an engine acknowledged before a crash"
              + " after which it did not open its data are not among the 1,000, and named apart.",
          "301 to 247,000 before each: the crashes came after very different numbers of"
              + " acknowledged writes, and those after many make up most of the sum. Attempts that others"
              + " disturbed are repeated, but their crashes count.",
          "But in 3 crashes it lost …: an engine may be recommended at a level that promises"
              + " nothing, no matter what it loses there, or at a stricter level, whose losses a weaker one"
              + " has, too. Lost data, on the first page, is the same."
              + " A crash ends the process only; a power cut also takes from a simulated disk what"
              + " was not flushed.",
          "Ranks need at least %d repetitions. Fewer are ignored here; their ranks have a"
                  .formatted(Estimate.FEWEST)
              + " question mark.",
          "The hit ratio of a cache has ranks of its own, which recommend none. An engine to reach for"
              + " by its speed has a lower one if another is separated as better and by more than %d"
                  .formatted(LowerHits.POINTS)
              + " percentage point.",
          "Memory and storage are compared after the load, when every engine holds the same records;"
              + " without a value there, after the last phase until which each engine wrote the same."
              + " In a phase of a fixed time a faster engine writes more. If only such phases have"
              + " values, these are shown without ranks. Memory is also compared after each phase that"
              + " only reads, since caches that fill there need memory.",
          "Behind the best: how many times better the first value of the table is, with its interval.",
          "Same order on 3 of 4 machines: each of the 4 separates a pair of engines that another of"
              + " them separates, too, and 3 of them never contradict each other. For example, three"
              + " machines separate rocksdb from redis as better, and the fourth as worse. A pair of"
              + " engines counts for each comparison that recommends and each two machines that separate it.",
          "Requirements are those that a scenario states. An engine meets one if its worst value keeps"
              + " the bound, of all phases but the load. Those that miss fewer come first, then those that the"
              + " scenario prefers. Not certain: the interval includes the bound, or durability is not proven.",
          "Every sentence is a template over these results, without a judgement by a person. Names"
              + " of machines are made of their processor and a digest. The description of an engine"
              + " comes from its newest run; if no run has one, from the engine of that name in the"
              + " kvrank that wrote this site.");

  private MethodPage() {}

  static byte[] of(Page.Contents contents) {
    Page page = new Page(contents, "", "kvrank", "Method");
    Markup html = page.html();
    html.open("section").element("h2", "Words of this site").open("ul").line();
    RULES.forEach(rule -> html.element("li", rule).line());
    html.close().close().line();
    html.open("section").element("h2", "Signs and labels", "id", "labels").open("ul").line();
    Glossary.full().forEach(rule -> html.element("li", rule).line());
    html.close().close().line();
    return page.end();
  }
}
