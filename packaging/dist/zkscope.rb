# Made by `make dist`: Homebrew's formula of this version. It builds from the revision that the binaries are of.
class Zkscope < Formula
  desc "Terminal console for ZooKeeper recipes: who holds, who waits, and why"
  homepage "https://github.com/zkscope/zkscope"
  url "https://github.com/zkscope/zkscope.git", revision: "@REVISION@"
  version "@VERSION@"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    system "go", "build", "-trimpath", "-tags=nethttpomithttp2", "-gcflags=google.golang.org/protobuf/...=-l", "-gcflags=github.com/prometheus/...=-l", "-gcflags=github.com/jcmturner/...=-l", "-gcflags=go.yaml.in/...=-l", "-gcflags=github.com/spf13/...=-l", "-gcflags=github.com/zkscope/zkscope/internal/cli/...=-l", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", bin/"zkscope", "."
    system "go", "run", "./packaging/pages", "-dir", "pages", "-version", "v#{version}"
    man1.install Dir["pages/man/*.1.gz"]
    bash_completion.install "pages/completions/zkscope.bash" => "zkscope"
    zsh_completion.install "pages/completions/_zkscope"
    fish_completion.install "pages/completions/zkscope.fish"
  end

  test do
    assert_match "zkscope", shell_output("#{bin}/zkscope version")
    assert_match "lost-waiter", shell_output("#{bin}/zkscope explain")
  end
end
