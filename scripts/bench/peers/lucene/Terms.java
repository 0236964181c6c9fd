import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** What an analyzer makes of a text. */
final class Terms {
  private Terms() {}

  /** By position: the terms that stand there, several where a word is also indexed in another form. */
  static List<List<String>> of(Analyzer analyzer, String text) throws IOException {
    var positions = new ArrayList<List<String>>();
    try (var tokens = analyzer.tokenStream("content", text)) {
      var term = tokens.addAttribute(CharTermAttribute.class);
      var increment = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        if (positions.isEmpty() || increment.getPositionIncrement() > 0) positions.add(new ArrayList<>());
        positions.getLast().add(term.toString());
      }
      tokens.end();
    }
    return positions;
  }
}
