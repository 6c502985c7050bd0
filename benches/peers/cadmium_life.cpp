// Conway's Life on Cadmium v2, timed: what cells.py runs. Headers that it needs: those of cadmium_v2/include and nlohmann/json.hpp.
#include <cadmium/celldevs/grid/cell.hpp>
#include <cadmium/celldevs/grid/config.hpp>
#include <cadmium/celldevs/grid/coupled.hpp>
#include <cadmium/core/simulation/root_coordinator.hpp>
#include <ctime>
#include <cstdlib>
#include <iostream>

using namespace cadmium::celldevs;

struct Life {
    int alive = 0;
};
bool operator!=(const Life& a, const Life& b) { return a.alive != b.alive; }
std::ostream& operator<<(std::ostream& out, const Life& state) { return out << state.alive; }
void from_json(const nlohmann::json& json, Life& state) { json.at("alive").get_to(state.alive); }

// How many cells live, and how many did before the last instant: those whose outputs have been sent.
long living = 0, shown = 0;
double instant = 0.0;

class LifeCell : public GridCell<Life, double> {
  public:
    LifeCell(const coordinates& id, const std::shared_ptr<const GridCellConfig<Life, double>>& config)
        : GridCell<Life, double>(id, config) {
        living += config->state.alive;
    }

    Life localComputation(Life own, const std::unordered_map<coordinates, NeighborData<Life, double>>& around) const override {
        if (clock != instant) {
            instant = clock;
            shown = living;
        }
        int alive = 0;
        for (const auto& [id, data] : around) {
            alive += data.state->alive;
        }
        const int before = own.alive;
        own.alive = alive - own.alive == 3 || (own.alive == 1 && alive - own.alive == 2);
        living += own.alive - before;
        return own;
    }

    double outputDelay(const Life&) const override { return 100.0; }
};

std::shared_ptr<GridCell<Life, double>> make(const coordinates& id, const std::shared_ptr<const GridCellConfig<Life, double>>& config) {
    return std::make_shared<LifeCell>(id, config);
}

int main(int, char** argv) {
    // Of the processor, so that a loaded machine does little harm.
    const auto seconds = [](std::clock_t from, std::clock_t to) { return static_cast<double>(to - from) / CLOCKS_PER_SEC; };
    const auto start = std::clock();
    auto model = std::make_shared<GridCellDEVSCoupled<Life, double>>("life", make, argv[1]);
    model->buildModel();
    auto root = cadmium::RootCoordinator(model);
    root.start();
    const auto ready = std::clock();
    root.simulate(std::atof(argv[2]));
    const auto done = std::clock();
    std::cout << "{\"setup\": " << seconds(start, ready) << ", \"seconds\": " << seconds(ready, done) << ", \"alive\": " << shown << "}\n";
    root.stop();
}
